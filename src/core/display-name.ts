/** Names that mails of the operator show to strangers: what looks like an address or a link there is followed. */

/** A domain, which mail programs make a link of, also where it begins a longer text: `acme.example`. */
const domain = /[\p{L}\p{N}-]\.(xn--|\p{L}\p{M}*\p{L})/u
const address = /@|:\/\/|\bwww\.|\b(mailto|tel|javascript|data):|\d{1,3}(\.\d{1,3}){3}/iu
/** Controls, marks of direction, characters without an appearance, private and unassigned ones; blanks of other widths. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?![ \u00a0])\p{Zs}|[\u115f\u1160\u3164\uffa0\u2800]/u
/** Joiners of letters, which some scripts need. */
const joiner = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L})/gu
const tooManyMarks = /^\p{M}|\p{M}{5}/u

/** Scripts that have letters like those of others: a word is written in one of them (Unicode TR39, section 5.1). */
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Hebrew', 'Arabic'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)

/** Whether the text has no address, link, control or confusable character. */
export function isDisplayName(text: string): boolean {
  const visible = text.replaceAll(joiner, '')
  // As programs read an address that is written in other widths (UTS 46, section 2.3).
  const mapped = visible.normalize('NFKC').replaceAll('。', '.')
  return (
    text.isWellFormed() &&
    ![domain, address].some((pattern) => pattern.test(mapped)) &&
    ![unseen, tooManyMarks].some((pattern) => pattern.test(visible)) &&
    !hasDisguisedLetters(visible) &&
    visible.split(/[^\p{L}\p{M}]+/u).every(isOfOneScript)
  )
}

/** The name as a mail shows it: one that an earlier version has accepted loses its punctuation, and so is no link. */
export function plainName(text: string): string {
  if (isDisplayName(text)) return text
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+|[\u115f\u1160]/gu, ' ')
    .trim()
}

/** A user name as a mail to the address shows it. It may be the address itself, which tells its reader nothing new. */
export function mailedUserName(userName: string, recipient: string): string {
  return userName.toLowerCase() === recipient.toLowerCase() ? userName : plainName(userName)
}

/** Letters and digits of other widths or fonts, such as mathematical ones. */
function hasDisguisedLetters(text: string): boolean {
  return [...text].some(
    (each) => /[\p{L}\p{N}]/u.test(each) && each.normalize('NFKC') !== each.normalize('NFC'),
  )
}

function isOfOneScript(word: string): boolean {
  return scripts.filter((script) => script.test(word)).length < 2
}
