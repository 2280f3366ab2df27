// Keeps the page where it was loaded, so that it works without a network. `files.json` has the names of all files and a digest of them.

const NAME = 'pdn-playground-';

async function keep() {
  const response = await fetch('files.json', { cache: 'no-store' });
  const { digest, files } = await response.json();
  const cache = await caches.open(NAME + digest);
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })));
  for (const name of await caches.keys()) if (name.startsWith(NAME) && name !== NAME + digest) await caches.delete(name);
}

addEventListener('install', (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

// What is kept is answered at once, everything else by the network.
addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});
