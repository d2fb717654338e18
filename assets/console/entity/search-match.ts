/** @returns the place of the longest searched word that is in the text */
export function matchIn(words: string, search: string): { start: number; end: number } | null {
  const sought = search
    .toLowerCase()
    .split(/\s+/)
    .toSorted((one, other) => other.length - one.length)
  for (const word of sought) {
    const start = word === '' ? -1 : words.toLowerCase().indexOf(word)
    if (start !== -1) return { start, end: start + word.length }
  }
  return null
}
