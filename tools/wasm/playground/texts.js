// The texts that the playground has beyond those of the explorer's page, in the same languages.

import { filled, language } from './i18n.js';

const TEXTS = {
  en: {
    title: 'pdn playground', nothingLeaves: 'Nothing leaves this machine: the file is read by this page alone. Once loaded, the page works without a network.',
    check: 'Check and repair', games: 'Games', search: 'Search', convert: 'Convert', views: 'What to do', reading: '{done} of {total} MB', ready: '{bytes} bytes checked in {seconds} s',
    findRepairs: 'Look for repairs', recordNumber: 'Number of the game', show: 'Show', noGames: 'The file has no games.', wholeGame: 'All moves can be played.', rest: 'Not played: {moves}',
    queryHint: 'For example: white : ames and plies 40..  or  wk >= 1 and bk >= 1', hits: '{games} {games:game matches|games match}.', atPly: 'position after {plies} {plies:ply|plies}',
    program: 'Written for', canonical: 'everybody (PDN 3.0)', leaveOut: 'Leave out', comments: 'comments', variations: 'variations', nags: 'marks such as !?', alsoRepair: 'repair first', doConvert: 'Convert',
    written: '{written} of {read} {read:game|games} written.', notWritten: '{games} {games:game|games} left out: {reason}.', saveConverted: 'Save the converted file', onlyStart: 'Only the beginning is shown.', result: 'The converted text',
  },
  nl: {
    title: 'pdn-speeltuin', nothingLeaves: 'Niets verlaat deze computer: alleen deze pagina leest het bestand. Eenmaal geladen werkt de pagina zonder netwerk.',
    check: 'Controleren en herstellen', games: 'Partijen', search: 'Zoeken', convert: 'Omzetten', views: 'Wat te doen', reading: '{done} van {total} MB', ready: '{bytes} bytes gecontroleerd in {seconds} s',
    findRepairs: 'Zoek herstellingen', recordNumber: 'Nummer van de partij', show: 'Toon', noGames: 'Het bestand heeft geen partijen.', wholeGame: 'Alle zetten zijn speelbaar.', rest: 'Niet gespeeld: {moves}',
    queryHint: 'Bijvoorbeeld: white : ames and plies 40..  of  wk >= 1 and bk >= 1', hits: '{games} {games:partij voldoet|partijen voldoen}.', atPly: 'stelling na {plies} {plies:halve zet|halve zetten}',
    program: 'Geschreven voor', canonical: 'iedereen (PDN 3.0)', leaveOut: 'Weglaten', comments: 'commentaar', variations: 'varianten', nags: 'tekens zoals !?', alsoRepair: 'eerst herstellen', doConvert: 'Omzetten',
    written: '{written} van {read} {read:partij|partijen} geschreven.', notWritten: '{games} {games:partij|partijen} weggelaten: {reason}.', saveConverted: 'Bewaar het omgezette bestand', onlyStart: 'Alleen het begin is te zien.', result: 'De omgezette tekst',
  },
  fr: {
    title: 'Atelier pdn', nothingLeaves: 'Rien ne quitte cet ordinateur : seule cette page lit le fichier. Une fois chargée, elle fonctionne sans réseau.',
    check: 'Vérifier et réparer', games: 'Parties', search: 'Rechercher', convert: 'Convertir', views: 'Que faire', reading: '{done} sur {total} Mo', ready: '{bytes} octets vérifiés en {seconds} s',
    findRepairs: 'Chercher des réparations', recordNumber: 'Numéro de la partie', show: 'Afficher', noGames: 'Le fichier n’a pas de parties.', wholeGame: 'Tous les coups peuvent être joués.', rest: 'Non joués : {moves}',
    queryHint: 'Par exemple : white : ames and plies 40..  ou  wk >= 1 and bk >= 1', hits: '{games} {games:partie correspond|parties correspondent}.', atPly: 'position après {plies} {plies:demi-coup|demi-coups}',
    program: 'Écrit pour', canonical: 'tous (PDN 3.0)', leaveOut: 'Omettre', comments: 'commentaires', variations: 'variantes', nags: 'signes comme !?', alsoRepair: 'réparer d’abord', doConvert: 'Convertir',
    written: '{written} {written:partie écrite|parties écrites} sur {read}.', notWritten: '{games} {games:partie omise|parties omises} : {reason}.', saveConverted: 'Enregistrer le fichier converti', onlyStart: 'Seul le début est affiché.', result: 'Le texte converti',
  },
  ru: {
    title: 'Мастерская pdn', nothingLeaves: 'Ничто не покидает этот компьютер: файл читает только эта страница. После загрузки она работает без сети.',
    check: 'Проверить и исправить', games: 'Партии', search: 'Поиск', convert: 'Преобразовать', views: 'Что сделать', reading: '{done} из {total} МБ', ready: '{bytes} байт проверено за {seconds} с',
    findRepairs: 'Искать исправления', recordNumber: 'Номер партии', show: 'Показать', noGames: 'В файле нет партий.', wholeGame: 'Все ходы можно сыграть.', rest: 'Не сыграно: {moves}',
    queryHint: 'Например: white : ames and plies 40..  или  wk >= 1 and bk >= 1', hits: 'Найдено: {games} {games:партия|партии|партий}.', atPly: 'позиция после {plies} {plies:полухода|полуходов|полуходов}',
    program: 'Записать для', canonical: 'всех (PDN 3.0)', leaveOut: 'Опустить', comments: 'комментарии', variations: 'варианты', nags: 'знаки вроде !?', alsoRepair: 'сначала исправить', doConvert: 'Преобразовать',
    written: 'Записано партий: {written} из {read}.', notWritten: 'Опущено партий: {games} ({reason}).', saveConverted: 'Сохранить преобразованный файл', onlyStart: 'Показано только начало.', result: 'Преобразованный текст',
  },
  pl: {
    title: 'Warsztat pdn', nothingLeaves: 'Nic nie opuszcza tego komputera: plik czyta tylko ta strona. Po załadowaniu działa bez sieci.',
    check: 'Sprawdź i napraw', games: 'Partie', search: 'Szukaj', convert: 'Przekształć', views: 'Co zrobić', reading: '{done} z {total} MB', ready: '{bytes} bajtów sprawdzono w {seconds} s',
    findRepairs: 'Szukaj napraw', recordNumber: 'Numer partii', show: 'Pokaż', noGames: 'Plik nie ma partii.', wholeGame: 'Wszystkie ruchy można zagrać.', rest: 'Nie zagrano: {moves}',
    queryHint: 'Na przykład: white : ames and plies 40..  albo  wk >= 1 and bk >= 1', hits: 'Znaleziono: {games} {games:partia|partie|partii}.', atPly: 'pozycja po {plies} {plies:posunięciu|posunięciach|posunięciach}',
    program: 'Zapisz dla', canonical: 'wszystkich (PDN 3.0)', leaveOut: 'Pomiń', comments: 'komentarze', variations: 'warianty', nags: 'znaki takie jak !?', alsoRepair: 'najpierw napraw', doConvert: 'Przekształć',
    written: 'Zapisano partii: {written} z {read}.', notWritten: 'Pominięto partii: {games} ({reason}).', saveConverted: 'Zapisz przekształcony plik', onlyStart: 'Widać tylko początek.', result: 'Przekształcony tekst',
  },
};

export const own = (key, values = {}) => filled(TEXTS[language][key], values);
export const languages = TEXTS;
