/**
 * Checks names that somebody enters and that mails show to strangers, such as the name of a tenant in an invitation.
 * A name must not look like an address or a link, because its reader might follow it.
 */

/** A domain, which mail programs turn into a link, also at the beginning of a longer text: `acme.example`. */
const domain = /[\p{L}\p{N}-]\.(xn--|\p{L}\p{M}*\p{L})/u
const address = /@|:\/\/|\bwww\.|\b(mailto|tel|javascript|data):|\d{1,3}(\.\d{1,3}){3}/iu
/**
 * Characters that a reader does not see, or not as they are: controls, marks of direction, unassigned ones, odd
 * blanks.
 */
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
  // Programs read an address that is written in other widths like this (UTS 46, section 2.3).
  const mapped = visible.normalize('NFKC').replaceAll('。', '.')
  return (
    text.isWellFormed() &&
    ![domain, address].some((pattern) => pattern.test(mapped)) &&
    ![unseen, tooManyMarks].some((pattern) => pattern.test(visible)) &&
    !hasDisguisedLetters(visible) &&
    visible.split(/[^\p{L}\p{M}]+/u).every(isOfOneScript)
  )
}

/** @returns the name as a mail shows it. A bad name that an earlier version has accepted loses its punctuation. */
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

/** Whether the text has letters or digits of other widths or fonts, such as mathematical ones. */
function hasDisguisedLetters(text: string): boolean {
  return [...text].some(
    (each) => /[\p{L}\p{N}]/u.test(each) && each.normalize('NFKC') !== each.normalize('NFC'),
  )
}

function isOfOneScript(word: string): boolean {
  return scripts.filter((script) => script.test(word)).length < 2
}
