//! Encodings with one byte for a character, from tables.
//!
//! They are those of the WHATWG standard, with its names and labels. Decoding takes a table of 128 characters, encoding a search in it,
//! which is quick enough for the few letters of names that are not ASCII.

/// An encoding, by its row in the table.
// Twin: the encodings of `encoding_rs`; tests: `tables_equal_the_encodings_of_the_standard`, `labels_are_those_of_the_standard`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SingleByte(u8);

impl SingleByte {
    /// Returns the encoding of a name.
    pub(super) const fn named(name: &str) -> Self {
        let mut row = 0;
        while row < TABLE.len() {
            if equal(TABLE[row].0.as_bytes(), name.as_bytes()) {
                return Self(row as u8);
            }
            row += 1;
        }
        panic!("no such encoding")
    }

    /// Returns the encoding of a label in lower case.
    pub(super) fn of_label(label: &str) -> Option<Self> {
        let has_label = |(_, labels, _): &Row| labels.split(' ').any(|other| other == label);
        TABLE.iter().position(has_label).map(|row| Self(row as u8))
    }

    /// Returns the name.
    pub(super) fn name(self) -> &'static str {
        TABLE[usize::from(self.0)].0
    }

    /// Returns the characters of the bytes from 0x80 on; U+FFFD for bytes without one.
    fn characters(self) -> impl Iterator<Item = char> {
        TABLE[usize::from(self.0)].2.chars()
    }

    /// Returns the character of a byte; `None` if it has none.
    pub(super) fn character(self, byte: u8) -> Option<char> {
        match byte.checked_sub(0x80) {
            None => Some(byte.into()),
            Some(at) => {
                self.characters().nth(at.into()).filter(|found| *found != char::REPLACEMENT_CHARACTER)
            }
        }
    }

    /// Decodes a text. Bytes without a character become U+FFFD.
    pub(super) fn decode(self, bytes: &[u8]) -> String {
        let mut characters = [char::REPLACEMENT_CHARACTER; 128];
        characters.iter_mut().zip(self.characters()).for_each(|(place, character)| *place = character);
        let decoded =
            |byte: &u8| byte.checked_sub(0x80).map_or(char::from(*byte), |at| characters[usize::from(at)]);
        bytes.iter().map(decoded).collect()
    }

    /// Encodes a text; `None` if the encoding lacks one of its characters.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        let byte = |character: char| match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => Some(byte),
            _ if character == char::REPLACEMENT_CHARACTER => None,
            _ => self.characters().position(|other| other == character).map(|place| place as u8 + 0x80),
        };
        text.chars().map(byte).collect()
    }
}

/// Compares two texts where `==` cannot be used.
const fn equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// An encoding: its name, its labels, and the characters of the bytes from 0x80 on.
type Row = (&'static str, &'static str, &'static str);

/// The encodings in the order of their names in the standard.
#[rustfmt::skip]
const TABLE: [Row; 29] = [
    (
        "IBM866",
        "866 cp866 csibm866 ibm866",
        "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуф\
         хцчшщъыьэюяЁёЄєЇїЎў°∙·√№¤■\u{a0}",
    ),
    (
        "ISO-8859-2",
        "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůú\
         űüýţ˙",
    ),
    (
        "ISO-8859-3",
        "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}Ħ˘£¤\u{fffd}Ĥ§¨İŞĞĴ\u{ad}\u{fffd}Ż°ħ²³´µĥ·¸ışğĵ½\u{fffd}żÀÁÂ\u{fffd}ÄĊĈÇÈÉÊËÌÍÎÏ\u{fffd}ÑÒÓÔĠÖ×\
         ĜÙÚÛÜŬŜßàáâ\u{fffd}äċĉçèéêëìíîï\u{fffd}ñòóôġö÷ĝùúûüŭŝ˙",
    ),
    (
        "ISO-8859-4",
        "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}ĄĸŖ¤ĨĻ§¨ŠĒĢŦ\u{ad}Ž¯°ą˛ŗ´ĩļˇ¸šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ×ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö÷øųú\
         ûüũū˙",
    ),
    (
        "ISO-8859-5",
        "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}ЁЂЃЄЅІЇЈЉЊЋЌ\u{ad}ЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя№ёђѓєѕіїјљњ\
         ћќ§ўџ",
    ),
    (
        "ISO-8859-6",
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e \
         iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}\u{fffd}\u{fffd}\u{fffd}¤\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}،\u{ad}\
         \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{61b}\u{fffd}\u{fffd}\u{fffd}\u{61f}\u{fffd}\u{621}\u{622}\u{623}\u{624}\u{625}\u{626}\
         \u{627}\u{628}\u{629}\u{62a}\u{62b}\u{62c}\u{62d}\u{62e}\u{62f}\u{630}\u{631}\u{632}\u{633}\u{634}\
         \u{635}\u{636}\u{637}\u{638}\u{639}\u{63a}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{640}\u{641}\
         \u{642}\u{643}\u{644}\u{645}\u{646}\u{647}\u{648}\u{649}\u{64a}\u{64b}\u{64c}\u{64d}\u{64e}\u{64f}\
         \u{650}\u{651}\u{652}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}",
    ),
    (
        "ISO-8859-7",
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
         iso_8859-7:1987 sun_eu_greek",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}‘’£€₯¦§¨©ͺ«¬\u{ad}\u{fffd}―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{fffd}ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμ\
         νξοπρςστυφχψωϊϋόύώ\u{fffd}",
    ),
    (
        "ISO-8859-8",
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 \
         iso_8859-8:1988 visual",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}\u{fffd}¢£¤¥¦§¨©×«¬\u{ad}®¯°±²³´µ¶·¸¹÷»¼½¾\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}‗\u{5d0}\u{5d1}\u{5d2}\u{5d3}\u{5d4}\u{5d5}\u{5d6}\u{5d7}\u{5d8}\u{5d9}\u{5da}\u{5db}\
         \u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\u{5e1}\u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\u{5e8}\u{5e9}\
         \u{5ea}\u{fffd}\u{fffd}\u{200e}\u{200f}\u{fffd}",
    ),
    (
        "ISO-8859-8-I",
        "csiso88598i iso-8859-8-i logical",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}\u{fffd}¢£¤¥¦§¨©×«¬\u{ad}®¯°±²³´µ¶·¸¹÷»¼½¾\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}‗\u{5d0}\u{5d1}\u{5d2}\u{5d3}\u{5d4}\u{5d5}\u{5d6}\u{5d7}\u{5d8}\u{5d9}\u{5da}\u{5db}\
         \u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\u{5e1}\u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\u{5e8}\u{5e9}\
         \u{5ea}\u{fffd}\u{fffd}\u{200e}\u{200f}\u{fffd}",
    ),
    (
        "ISO-8859-10",
        "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}ĄĒĢĪĨĶ§ĻĐŠŦŽ\u{ad}ŪŊ°ąēģīĩķ·ļđšŧž―ūŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞßāáâãäåæįčéęëėíîïðņōóôõöũøųú\
         ûüýþĸ",
    ),
    (
        "ISO-8859-13",
        "iso-8859-13 iso8859-13 iso885913",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}”¢£¤„¦§Ø©Ŗ«¬\u{ad}®Æ°±²³“µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłś\
         ūüżž’",
    ),
    (
        "ISO-8859-14",
        "iso-8859-14 iso8859-14 iso885914",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ\u{ad}®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶßàáâãäåæçèéêëìíîïŵñòóôõöṫøùú\
         ûüýŷÿ",
    ),
    (
        "ISO-8859-15",
        "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}¡¢£€¥Š§š©ª«¬\u{ad}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùú\
         ûüýþÿ",
    ),
    (
        "ISO-8859-16",
        "iso-8859-16",
        "\u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
         \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
         \u{a0}ĄąŁ€„Š§š©Ș«Ź\u{ad}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùú\
         ûüęțÿ",
    ),
    (
        "KOI8-R",
        "cskoi8r koi koi8 koi8-r koi8_r",
        "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©юабцдефгхийклмнопярстужвьызшэщчъ\
         ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
    ),
    (
        "KOI8-U",
        "koi8-ru koi8-u",
        "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷═║╒ёє╔ії╗╘╙╚╛ґў╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪ҐЎ©юабцдефгхийклмнопярстужвьызшэщчъ\
         ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ",
    ),
    (
        "macintosh",
        "csmacintosh mac macintosh x-mac-roman",
        "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ\
         ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    ),
    (
        "windows-874",
        "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
        "€\u{81}\u{82}\u{83}\u{84}…\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\u{90}‘’“”•–—\
         \u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\u{a0}กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯ\
         ะ\u{e31}าำ\u{e34}\u{e35}\u{e36}\u{e37}\u{e38}\u{e39}\u{e3a}\u{fffd}\u{fffd}\u{fffd}\u{fffd}฿เแโใไๅๆ\
         \u{e47}\u{e48}\u{e49}\u{e4a}\u{e4b}\u{e4c}\u{e4d}\u{e4e}๏๐๑๒๓๔๕๖๗๘๙๚๛\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
    ),
    (
        "windows-1250",
        "cp1250 windows-1250 x-cp1250",
        "€\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{ad}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁ\
         ÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
    ),
    (
        "windows-1251",
        "cp1251 windows-1251 x-cp1251",
        "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХ\
         ЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя",
    ),
    (
        "windows-1252",
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 \
         iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁ\
         ÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    ),
    (
        "windows-1253",
        "cp1253 windows-1253 x-cp1253",
        "€\u{81}‚ƒ„…†‡\u{88}‰\u{8a}‹\u{8c}\u{8d}\u{8e}\u{8f}\u{90}‘’“”•–—\u{98}™\u{9a}›\u{9c}\u{9d}\u{9e}\
         \u{9f}\u{a0}΅Ά£¤¥¦§¨©\u{fffd}«¬\u{ad}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{fffd}ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζ\
         ηθικλμνξοπρςστυφχψωϊϋόύώ\u{fffd}",
    ),
    (
        "windows-1254",
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
         windows-1254 x-cp1254",
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}\u{8e}\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}\u{9e}Ÿ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·\
         ¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ",
    ),
    (
        "windows-1255",
        "cp1255 windows-1255 x-cp1255",
        "€\u{81}‚ƒ„…†‡ˆ‰\u{8a}‹\u{8c}\u{8d}\u{8e}\u{8f}\u{90}‘’“”•–—˜™\u{9a}›\u{9c}\u{9d}\u{9e}\u{9f}\u{a0}¡¢£\
         ₪¥¦§¨©×«¬\u{ad}®¯°±²³´µ¶·¸¹÷»¼½¾¿\u{5b0}\u{5b1}\u{5b2}\u{5b3}\u{5b4}\u{5b5}\u{5b6}\u{5b7}\u{5b8}\
         \u{5b9}\u{5ba}\u{5bb}\u{5bc}\u{5bd}\u{5be}\u{5bf}\u{5c0}\u{5c1}\u{5c2}\u{5c3}\u{5f0}\u{5f1}\u{5f2}\
         \u{5f3}\u{5f4}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{5d0}\u{5d1}\u{5d2}\u{5d3}\
         \u{5d4}\u{5d5}\u{5d6}\u{5d7}\u{5d8}\u{5d9}\u{5da}\u{5db}\u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\u{5e1}\
         \u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\u{5e8}\u{5e9}\u{5ea}\u{fffd}\u{fffd}\u{200e}\u{200f}\
         \u{fffd}",
    ),
    (
        "windows-1256",
        "cp1256 windows-1256 x-cp1256",
        "€\u{67e}‚ƒ„…†‡ˆ‰\u{679}‹Œ\u{686}\u{698}\u{688}\u{6af}‘’“”•–—\u{6a9}™\u{691}›œ\u{200c}\u{200d}\u{6ba}\
         \u{a0}،¢£¤¥¦§¨©\u{6be}«¬\u{ad}®¯°±²³´µ¶·¸¹\u{61b}»¼½¾\u{61f}\u{6c1}\u{621}\u{622}\u{623}\u{624}\
         \u{625}\u{626}\u{627}\u{628}\u{629}\u{62a}\u{62b}\u{62c}\u{62d}\u{62e}\u{62f}\u{630}\u{631}\u{632}\
         \u{633}\u{634}\u{635}\u{636}×\u{637}\u{638}\u{639}\u{63a}\u{640}\u{641}\u{642}\u{643}à\u{644}â\u{645}\
         \u{646}\u{647}\u{648}çèéêë\u{649}\u{64a}îï\u{64b}\u{64c}\u{64d}\u{64e}ô\u{64f}\u{650}÷\u{651}ù\u{652}\
         ûü\u{200e}\u{200f}\u{6d2}",
    ),
    (
        "windows-1257",
        "cp1257 windows-1257 x-cp1257",
        "€\u{81}‚\u{83}„…†‡\u{88}‰\u{8a}‹\u{8c}¨ˇ¸\u{90}‘’“”•–—\u{98}™\u{9a}›\u{9c}¯˛\u{9f}\u{a0}\u{fffd}¢£¤\
         \u{fffd}¦§Ø©Ŗ«¬\u{ad}®Æ°±²³´µ¶·ø¹ŗ»¼½¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüż\
         ž˙",
    ),
    (
        "windows-1258",
        "cp1258 windows-1258 x-cp1258",
        "€\u{81}‚ƒ„…†‡ˆ‰\u{8a}‹Œ\u{8d}\u{8e}\u{8f}\u{90}‘’“”•–—˜™\u{9a}›œ\u{9d}\u{9e}Ÿ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}\
         ®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂĂÄÅÆÇÈÉÊË\u{300}ÍÎÏĐÑ\u{309}ÓÔƠÖ×ØÙÚÛÜƯ\u{303}ßàáâăäåæçèéêë\u{301}íîïđñ\u{323}óô\
         ơö÷øùúûüư₫ÿ",
    ),
    (
        "x-mac-cyrillic",
        "x-mac-cyrillic x-mac-ukrainian",
        "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ†°Ґ£§•¶І®©™Ђђ≠Ѓѓ∞±≤≥іµґЈЄєЇїЉљЊњјЅ¬√ƒ≈∆«»…\u{a0}ЋћЌќѕ–—“”‘’÷„ЎўЏџ№Ёёя\
         абвгдежзийклмнопрстуфхцчшщъыьэю€",
    ),
    (
        "x-user-defined",
        "x-user-defined",
        "\u{f780}\u{f781}\u{f782}\u{f783}\u{f784}\u{f785}\u{f786}\u{f787}\u{f788}\u{f789}\u{f78a}\u{f78b}\
         \u{f78c}\u{f78d}\u{f78e}\u{f78f}\u{f790}\u{f791}\u{f792}\u{f793}\u{f794}\u{f795}\u{f796}\u{f797}\
         \u{f798}\u{f799}\u{f79a}\u{f79b}\u{f79c}\u{f79d}\u{f79e}\u{f79f}\u{f7a0}\u{f7a1}\u{f7a2}\u{f7a3}\
         \u{f7a4}\u{f7a5}\u{f7a6}\u{f7a7}\u{f7a8}\u{f7a9}\u{f7aa}\u{f7ab}\u{f7ac}\u{f7ad}\u{f7ae}\u{f7af}\
         \u{f7b0}\u{f7b1}\u{f7b2}\u{f7b3}\u{f7b4}\u{f7b5}\u{f7b6}\u{f7b7}\u{f7b8}\u{f7b9}\u{f7ba}\u{f7bb}\
         \u{f7bc}\u{f7bd}\u{f7be}\u{f7bf}\u{f7c0}\u{f7c1}\u{f7c2}\u{f7c3}\u{f7c4}\u{f7c5}\u{f7c6}\u{f7c7}\
         \u{f7c8}\u{f7c9}\u{f7ca}\u{f7cb}\u{f7cc}\u{f7cd}\u{f7ce}\u{f7cf}\u{f7d0}\u{f7d1}\u{f7d2}\u{f7d3}\
         \u{f7d4}\u{f7d5}\u{f7d6}\u{f7d7}\u{f7d8}\u{f7d9}\u{f7da}\u{f7db}\u{f7dc}\u{f7dd}\u{f7de}\u{f7df}\
         \u{f7e0}\u{f7e1}\u{f7e2}\u{f7e3}\u{f7e4}\u{f7e5}\u{f7e6}\u{f7e7}\u{f7e8}\u{f7e9}\u{f7ea}\u{f7eb}\
         \u{f7ec}\u{f7ed}\u{f7ee}\u{f7ef}\u{f7f0}\u{f7f1}\u{f7f2}\u{f7f3}\u{f7f4}\u{f7f5}\u{f7f6}\u{f7f7}\
         \u{f7f8}\u{f7f9}\u{f7fa}\u{f7fb}\u{f7fc}\u{f7fd}\u{f7fe}\u{f7ff}",
    ),
];

// The rows were printed by the encodings of the standard, and are compared with them.
#[cfg(feature = "all-encodings")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_equal_the_encodings_of_the_standard() {
        for row in 0..TABLE.len() {
            let own = SingleByte(row as u8);
            let standard = encoding_rs::Encoding::for_label(own.name().as_bytes()).unwrap();
            assert_eq!(own.name(), standard.name());
            for byte in 0..=u8::MAX {
                let bytes = [byte];
                let text = standard.decode_without_bom_handling(&bytes).0;
                assert_eq!(own.decode(&bytes), text, "{} {byte:#x}", own.name());
                let single = standard.decode_without_bom_handling_and_without_replacement(&bytes);
                assert_eq!(own.character(byte), single.and_then(|text| text.chars().next()));
            }
            // All letters that some encoding has, and more.
            let letters = TABLE.iter().flat_map(|(_, _, characters)| characters.chars());
            for character in ('\0'..'\u{200}').chain(letters) {
                let text = character.to_string();
                let (bytes, _, has_unmappable) = standard.encode(&text);
                let expected = (!has_unmappable).then_some(bytes.into_owned());
                assert_eq!(own.encode(&text), expected, "{} {text:?}", own.name());
            }
            assert_eq!(SingleByte::named(own.name()), own);
        }
    }

    #[test]
    fn labels_are_those_of_the_standard() {
        let mut count = 0;
        for (row, (name, labels, _)) in TABLE.iter().enumerate() {
            for label in labels.split(' ') {
                let standard = encoding_rs::Encoding::for_label(label.as_bytes());
                assert_eq!(standard.map(encoding_rs::Encoding::name), Some(*name), "{label}");
                assert_eq!(SingleByte::of_label(label), Some(SingleByte(row as u8)));
                count += 1;
            }
        }
        assert_eq!((count, SingleByte::of_label("shift_jis")), (169, None));
    }
}
