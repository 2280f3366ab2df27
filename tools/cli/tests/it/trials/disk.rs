//! What a power cut leaves of a folder.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{Entry, Files, files_of};
use super::tracer::{Act, Change, Kind, Watcher};

/// A record of what would be left of a folder if the power failed after each change.
///
/// A power cut loses the bytes of a file since its last sync, all of them if there was none. Of the changes of names since the last sync of
/// their folder, it keeps the first ones, however many, or any single one: file systems write them in order or in none.
pub(super) struct Disk {
    place: PathBuf,
    /// The bytes of each file at its last sync.
    synced_bytes: Vec<Arc<[u8]>>,
    /// The number of a file by that of the system.
    numbers: HashMap<u64, usize>,
    /// The names in each folder, the first of which is the place of the trial.
    folders: Vec<Names>,
    /// Those at the last sync of the folder.
    synced_folders: Vec<Names>,
    pending: Vec<NameChange>,
    /// What cuts can leave, each state once.
    pub(super) states: BTreeSet<Files>,
}

/// What has a name in a folder.
type Names = BTreeMap<OsString, Node>;

/// A file or a folder by its number.
#[derive(Clone, Copy, Debug)]
enum Node {
    File(usize),
    Folder(usize),
}

/// A change of names, which is made as a whole: in some folders a name gets this node, or none.
type NameChange = Vec<(usize, OsString, Option<Node>)>;

impl Disk {
    /// Creates the record of a folder whose files are all on the disk.
    pub(super) fn new(place: &Path) -> Self {
        let mut disk = Self {
            place: place.to_owned(),
            synced_bytes: Vec::new(),
            numbers: HashMap::new(),
            folders: vec![Names::new()],
            synced_folders: Vec::new(),
            pending: Vec::new(),
            states: BTreeSet::new(),
        };
        for (path, entry) in files_of(place) {
            let node = disk.new_node(&place.join(&path), matches!(entry, Entry::Folder));
            if let (Node::File(number), Entry::File(bytes)) = (node, entry) {
                disk.synced_bytes[number] = bytes;
            }
            let (folder, name) = disk.parent(&path).expect("folders come first");
            disk.folders[folder].insert(name, node);
        }
        disk.synced_folders.clone_from(&disk.folders);
        disk
    }

    /// Returns what a power cut can leave now.
    pub(super) fn states_now(&self) -> BTreeSet<Files> {
        let count = self.pending.len();
        let first = (0..=count).map(|count| (0..count).collect::<Vec<_>>());
        let single = (0..count).map(|number| vec![number]);
        let state = |kept: Vec<usize>| {
            let mut folders = self.synced_folders.clone();
            kept.into_iter().for_each(|number| apply(&mut folders, &self.pending[number]));
            let mut files = Files::new();
            self.collect(&folders, 0, Path::new(""), &mut files);
            files
        };
        first.chain(single).map(state).collect()
    }

    /// Lists what is in a folder, which has this path.
    fn collect(&self, folders: &[Names], folder: usize, path: &Path, files: &mut Files) {
        for (name, node) in &folders[folder] {
            let path = path.join(name);
            match node {
                Node::File(number) => {
                    files.insert(path, Entry::File(Arc::clone(&self.synced_bytes[*number])));
                }
                Node::Folder(number) => {
                    files.insert(path.clone(), Entry::Folder);
                    self.collect(folders, *number, &path, files);
                }
            }
        }
    }

    /// Gives a number to a new file or folder.
    fn new_node(&mut self, path: &Path, is_folder: bool) -> Node {
        if is_folder {
            self.folders.push(Names::new());
            self.synced_folders.push(Names::new());
            return Node::Folder(self.folders.len() - 1);
        }
        let number = self.synced_bytes.len();
        self.synced_bytes.push(Arc::new([]));
        if let Ok(file) = fs::metadata(path) {
            self.numbers.insert(file.ino(), number);
        }
        Node::File(number)
    }

    /// Returns the number of the folder at a path below the place.
    fn folder(&self, path: &Path) -> Option<usize> {
        path.iter().try_fold(0, |folder, name| match self.folders[folder].get(name)? {
            Node::Folder(number) => Some(*number),
            Node::File(_) => None,
        })
    }

    /// Returns the folder that a path below the place is in, and the name there.
    fn parent(&self, path: &Path) -> Option<(usize, OsString)> {
        Some((self.folder(path.parent()?)?, path.file_name()?.to_owned()))
    }

    /// Gives the node that `from` has the name `to`; without `from`, a new node.
    fn name(
        &mut self,
        from: Option<&Path>,
        is_moved: bool,
        to: Option<&Path>,
        new: Option<Node>,
    ) -> Option<()> {
        let mut change = NameChange::new();
        let mut node = new;
        if let Some(from) = from {
            let (folder, name) = self.parent(from)?;
            node = self.folders[folder].get(&name).copied();
            if is_moved {
                change.push((folder, name, None));
            }
        }
        if let Some(to) = to {
            let (folder, name) = self.parent(to)?;
            change.push((folder, name, node));
        }
        apply(&mut self.folders, &change);
        self.pending.push(change);
        Some(())
    }

    /// Makes the names in a folder durable.
    fn sync_folder(&mut self, folder: usize) {
        let is_synced = |change: &NameChange| change.iter().any(|(other, ..)| *other == folder);
        let (synced, pending) = std::mem::take(&mut self.pending).into_iter().partition(is_synced);
        self.pending = pending;
        let synced: Vec<NameChange> = synced;
        synced.iter().for_each(|change| apply(&mut self.synced_folders, change));
    }
}

fn apply(folders: &mut [Names], change: &NameChange) {
    for (folder, name, node) in change {
        match node {
            Some(node) => _ = folders[*folder].insert(name.clone(), *node),
            None => _ = folders[*folder].remove(name),
        }
    }
}

impl Watcher for Disk {
    fn before(&mut self, _: &Change) -> Act {
        Act::Allow
    }

    fn after(&mut self, change: &Change) {
        let inside = |path: &Path| path.strip_prefix(&self.place).ok().map(Path::to_owned);
        let Some(path) = inside(&change.path) else { return };
        let to = change.to.as_deref().and_then(inside);
        match change.kind {
            Kind::Create | Kind::CreateFolder => {
                let node = self.new_node(&change.path, change.kind == Kind::CreateFolder);
                self.name(None, false, Some(&path), Some(node));
            }
            Kind::Remove => _ = self.name(Some(&path), true, None, None),
            Kind::Rename => _ = self.name(Some(&path), true, to.as_deref(), None),
            Kind::Link => _ = self.name(Some(&path), false, to.as_deref(), None),
            Kind::Sync => {
                if let Some(folder) = self.folder(&path) {
                    self.sync_folder(folder);
                } else if let Ok(file) = fs::metadata(&change.path)
                    && let Some(&number) = self.numbers.get(&file.ino())
                    && let Ok(bytes) = fs::read(&change.path)
                {
                    self.synced_bytes[number] = bytes.into();
                }
            }
            // Bytes count when they are synced.
            Kind::Write | Kind::Truncate | Kind::Attributes => return,
        }
        let states = self.states_now();
        self.states.extend(states);
    }
}
