/** The part of a text around a match. */
import { foldText } from '../database/fold-text.ts'

const maxLength = 120
const before = 30

/** @param word case-folded @returns `null` if the word does not occur */
export function excerptOf(text: string, word: string): string | null {
  const caseFolded = foldText(text)
  const at = caseFolded.indexOf(word)
  if (at < 0) return null
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const from = Math.max(0, placeOf(characters, caseFolded.length === text.length, at) - before)
  const part = characters.slice(from, from + maxLength).join('')
  return `${from > 0 ? '…' : ''}${part}${from + maxLength < characters.length ? '…' : ''}`
}

/** The place in the text of a place in the case-folded text, which may be longer or shorter. */
function placeOf(characters: readonly string[], isSame: boolean, at: number): number {
  let caseFolded = 0
  for (const [place, character] of characters.entries()) {
    if (caseFolded >= at) return place
    caseFolded += isSame ? character.length : foldText(character).length
  }
  return characters.length
}
