/** The part of a text around a match. */
import { foldText } from '../database/fold-text.ts'

const maxLength = 120
const lengthBeforeMatch = 30

/** @param word case-folded @returns `null` if the word does not occur */
export function excerptOf(text: string, word: string): string | null {
  const caseFolded = foldText(text)
  const matchIndex = caseFolded.indexOf(word)
  if (matchIndex < 0) return null
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const match = characterAt(characters, matchIndex, { isSameLength: caseFolded.length === text.length })
  const from = Math.max(0, match - lengthBeforeMatch)
  const part = characters.slice(from, from + maxLength).join('')
  return `${from > 0 ? '…' : ''}${part}${from + maxLength < characters.length ? '…' : ''}`
}

/** @returns the character of the text at an index of the case-folded text, whose length may differ */
function characterAt(
  characters: readonly string[],
  caseFoldedIndex: number,
  { isSameLength }: { isSameLength: boolean },
): number {
  let caseFoldedLength = 0
  for (const [index, character] of characters.entries()) {
    if (caseFoldedLength >= caseFoldedIndex) return index
    caseFoldedLength += isSameLength ? character.length : foldText(character).length
  }
  return characters.length
}
