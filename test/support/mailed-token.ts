/** @returns the token in the link of a mail; empty without one */
export function mailedToken(text = ''): string {
  return /^https?:\S*\btoken=([\w-]{43})$/m.exec(text)?.[1] ?? ''
}
