/** The English article of a noun: `a user`, `an order`. It follows the sound of the noun. */

/** Words that begin with a vowel in writing only: European, one-time code, unit, user, utility. */
const spokenConsonant = /^(?:eu|one\b|uni(?![mn])|u[st][aeiu])/i
const silentH = /^(?:hour|honou?r|heir)/i

/** @returns the noun with its article */
export function withArticle(noun: string): string {
  const isVowel = silentH.test(noun) || (/^[aeiou]/i.test(noun) && !spokenConsonant.test(noun))
  return `${isVowel ? 'an' : 'a'} ${noun}`
}
