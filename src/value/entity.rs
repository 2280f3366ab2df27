//! HTML entities in values: `R&#x00e9;sultat`, `&frac12;`.
//!
//! They come from games copied out of web pages. Text is decoded only on request.

use std::borrow::Cow;

/// Returns `text` with its HTML entities decoded, borrowed if it contains none.
///
/// An ampersand that begins no entity, as in `AT&T`, is kept. Linear in the text. Without the feature `all-encodings`, the names of HTML 4
/// are known alone: those of letters, signs and Greek.
///
/// ```
/// assert_eq!(pdn::value::decode_entities("Ren&eacute; &amp; Jan"), "René & Jan");
/// ```
pub fn decode_entities(text: &str) -> Cow<'_, str> {
    #[cfg(feature = "all-encodings")]
    return html_escape::decode_html_entities(text);
    #[cfg(not(feature = "all-encodings"))]
    decode_common(text)
}

/// Returns `true` if [`decode_entities`] would change the text.
pub fn has_entities(text: &str) -> bool {
    matches!(decode_entities(text), Cow::Owned(decoded) if decoded != text)
}

/// Decodes the entities that have a number, or a name of HTML 4.
// Twin: `html_escape`; tests: `common_entities_are_decoded_as_all_are`, `common_names_mean_what_they_mean_in_all`.
#[cfg(any(test, not(feature = "all-encodings")))]
fn decode_common(text: &str) -> Cow<'_, str> {
    let (mut decoded, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(start) = memchr::memchr(b'&', &text.as_bytes()[at..]).map(|found| at + found) {
        at = start + 1;
        let Some(end) = memchr::memchr2(b'&', b';', &text.as_bytes()[at..]).map(|found| at + found) else {
            break;
        };
        // An ampersand before the semicolon may begin an entity itself.
        if text.as_bytes()[end] == b'&' {
            at = end;
            continue;
        }
        at = end + 1;
        if let Some(character) = common_entity(&text[start + 1..end]) {
            decoded.push_str(&text[kept..start]);
            decoded.push(character);
            kept = at;
        }
    }
    if kept == 0 { Cow::Borrowed(text) } else { Cow::Owned(decoded + &text[kept..]) }
}

/// Returns the character of what stands between the ampersand and the semicolon.
#[cfg(any(test, not(feature = "all-encodings")))]
fn common_entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let hexadecimal = number.strip_prefix(['x', 'X']);
        let (digits, base) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
        // Signs are no digits, though they can be parsed.
        let code =
            digits.starts_with(|first: char| first.is_digit(base)).then(|| u32::from_str_radix(digits, base));
        let character = char::from_u32(code?.ok()?)?;
        return (character >= ' ' || matches!(character, '\t' | '\n' | '\u{c}' | '\r')).then_some(character);
    }
    let latin = LATIN_ENTITIES.split(' ').zip('\u{a0}'..);
    let of_code = |word: &'static str| {
        let (name, code) = word.split_once('=')?;
        Some((name, char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
    };
    let others = OTHER_ENTITIES.split(' ').filter_map(of_code);
    latin.chain(others).find(|(known, _)| *known == name).map(|(_, character)| character)
}

/// The names of the characters from U+00A0 to U+00FF.
#[cfg(any(test, not(feature = "all-encodings")))]
const LATIN_ENTITIES: &str = "\
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 \
    acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde \
    Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute \
    Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde \
    auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute \
    ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

/// The other names of HTML 4, each with its character.
#[cfg(any(test, not(feature = "all-encodings")))]
const OTHER_ENTITIES: &str = "\
    quot=22 amp=26 apos=27 lt=3c gt=3e OElig=152 oelig=153 Scaron=160 scaron=161 Yuml=178 fnof=192 circ=2c6 \
    tilde=2dc Alpha=391 Beta=392 Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397 Theta=398 Iota=399 \
    Kappa=39a Lambda=39b Mu=39c Nu=39d Xi=39e Omicron=39f Pi=3a0 Rho=3a1 Sigma=3a3 Tau=3a4 Upsilon=3a5 \
    Phi=3a6 Chi=3a7 Psi=3a8 Omega=3a9 alpha=3b1 beta=3b2 gamma=3b3 delta=3b4 epsilon=3b5 zeta=3b6 eta=3b7 \
    theta=3b8 iota=3b9 kappa=3ba lambda=3bb mu=3bc nu=3bd xi=3be omicron=3bf pi=3c0 rho=3c1 sigmaf=3c2 \
    sigma=3c3 tau=3c4 upsilon=3c5 phi=3c6 chi=3c7 psi=3c8 omega=3c9 thetasym=3d1 upsih=3d2 piv=3d6 \
    ensp=2002 emsp=2003 thinsp=2009 zwnj=200c zwj=200d lrm=200e rlm=200f ndash=2013 mdash=2014 lsquo=2018 \
    rsquo=2019 sbquo=201a ldquo=201c rdquo=201d bdquo=201e dagger=2020 Dagger=2021 bull=2022 hellip=2026 \
    permil=2030 prime=2032 Prime=2033 lsaquo=2039 rsaquo=203a oline=203e frasl=2044 euro=20ac image=2111 \
    weierp=2118 real=211c trade=2122 alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194 \
    crarr=21b5 lArr=21d0 uArr=21d1 rArr=21d2 dArr=21d3 hArr=21d4 forall=2200 part=2202 exist=2203 \
    empty=2205 nabla=2207 isin=2208 notin=2209 ni=220b prod=220f sum=2211 minus=2212 lowast=2217 radic=221a \
    prop=221d infin=221e ang=2220 and=2227 or=2228 cap=2229 cup=222a int=222b there4=2234 sim=223c \
    cong=2245 asymp=2248 ne=2260 equiv=2261 le=2264 ge=2265 sub=2282 sup=2283 nsub=2284 sube=2286 supe=2287 \
    oplus=2295 otimes=2297 perp=22a5 sdot=22c5 lceil=2308 rceil=2309 lfloor=230a rfloor=230b loz=25ca \
    spades=2660 clubs=2663 hearts=2665 diams=2666 lang=27e8 rang=27e9";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn entities_are_decoded() {
        for (text, decoded) in [
            ("R&#x00e9;sultat", "Résultat"),
            ("&frac12;&ndash;&frac12;", "½–½"),
            ("Ren&eacute; &amp; &quot;Jan&quot; &lt;&gt;", "René & \"Jan\" <>"),
            ("&#1057;&#1057;&#1057;&#1056;", "СССР"),
            ("AT&T", "AT&T"),
            ("&;&#;&#x;&nosuch;", "&;&#;&#x;&nosuch;"),
            ("&#xD800;&#99999999999;", "&#xD800;&#99999999999;"),
            ("plain", "plain"),
        ] {
            assert_eq!(decode_entities(text), decoded);
            assert_eq!(has_entities(text), text != decoded, "{text}");
        }
        assert!(matches!(decode_entities("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn unfinished_entities_take_linear_time() {
        for piece in ["&", "&#", "&#x", "&a", "&#1"] {
            let text = piece.repeat(1 << 20);
            assert_eq!(decode_entities(&text), text);
        }
    }

    #[test]
    #[cfg(feature = "all-encodings")]
    fn common_names_mean_what_they_mean_in_all() {
        let others = OTHER_ENTITIES.split(' ').map(|word| word.split_once('=').unwrap().0);
        for name in LATIN_ENTITIES.split(' ').chain(others) {
            let text = format!("&{name};");
            assert_eq!(decode_common(&text), html_escape::decode_html_entities(&text), "{name}");
            assert_eq!(decode_common(&text).chars().count(), 1, "{name}");
        }
    }

    proptest! {
        #[test]
        #[cfg(feature = "all-encodings")]
        // Letters stand in numbers only: some short names, such as `dd`, are among all, and not among the common ones.
        fn common_entities_are_decoded_as_all_are(text in "(&|#|x|X|;|amp|eacute|\\+|[0-9]|#x[0-9a-f]{1,5}|\\PC){0,30}") {
            prop_assert_eq!(decode_common(&text), html_escape::decode_html_entities(&text));
        }

        #[test]
        fn decoding_accepts_any_text(text in "(&|#|x|;|amp|[0-9a-f]|\\PC){0,30}") {
            let decoded = decode_entities(&text);
            prop_assert!(decoded.len() <= 2 * text.len());
        }
    }
}
