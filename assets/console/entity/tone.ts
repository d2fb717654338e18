/** The colour of a word of an enum: the one that the definition names. Nothing is guessed from the word. */
import type { EntityDescription, FieldDescription } from '../describe.ts'

const tones = ['good', 'warn', 'bad', 'info', 'neutral'] as const
export type Tone = (typeof tones)[number]

export function toneOf(
  { console: hints }: EntityDescription,
  { name }: FieldDescription,
  value: unknown,
): Tone {
  const given = hints?.badges?.find((badge) => badge.name === name)?.tones
  const word = String(value)
  return knownTone(given !== undefined && Object.hasOwn(given, word) ? given[word] : undefined)
}

export function knownTone(given: string | undefined): Tone {
  return tones.find((each) => each === given) ?? 'neutral'
}
