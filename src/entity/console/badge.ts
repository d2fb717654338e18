/** The coloured badges of a row in the console: for the words of an enum, or for rows that meet a condition. */
import { type ConsoleHints, type Tone, tones } from '../../core/feature/console-hints.ts'
import { labelOfName } from '../../core/feature/labelled.ts'
import type { Fields } from '../field.ts'
import type { HintCheck } from './hint-check.ts'
import type { AnyConsoleOptions, ComputedBadge } from './options.ts'

export function badgesOf(
  check: HintCheck,
  badges: NonNullable<AnyConsoleOptions['badges']>,
): NonNullable<ConsoleHints['badges']> {
  return Object.entries(badges).map(([name, badge]) => {
    const place = `console.badges.${name}`
    if (typeof badge['if'] === 'object') return computedBadge(check, name, badge as ComputedBadge<Fields>) // it has a condition
    const { member, spec } = check.fields.named('console.badges', name, ['enum'])
    for (const [word, tone] of Object.entries(badge)) {
      check.fields.oneOf(place, word, spec.values ?? [], `no word of ${name}`)
      check.fields.oneOf(`${place}.${word}`, tone, tones, 'no tone')
    }
    return { name: member, tones: badge as Record<string, Tone> } // checked above
  })
}

function computedBadge(check: HintCheck, name: string, { if: given, text, tone }: ComputedBadge<Fields>) {
  const place = `console.badges.${name}`
  check.fields.oneOf(`${place}.tone`, tone, tones, 'no tone')
  return { name, if: check.condition(`${place}.if`, given), text: text ?? labelOfName(name), tone }
}
