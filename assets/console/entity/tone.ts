/** The colour of a word of an enum, as the definition says. It is never guessed from the word. */
import type { EntityDescription, FieldDescription, Tone } from '../describe.ts'

export function toneOf(
  { console: hints }: EntityDescription,
  { name }: FieldDescription,
  value: unknown,
): Tone {
  const tones = hints?.badges?.find((badge) => badge.name === name)?.tones
  const word = String(value)
  return tones !== undefined && Object.hasOwn(tones, word) ? (tones[word] ?? 'neutral') : 'neutral'
}
