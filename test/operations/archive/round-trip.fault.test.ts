/** From every place to every other: every change tests two of them. */
import { describe } from 'node:test'
import type { Place } from './installations.ts'
import { goesAlong } from './round-trip.ts'

describe('A tenant with its archive', () => {
  const places: Place[] = ['shared', 'sqlite', 'postgres']
  for (const [from, to] of [
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['sqlite', 'sqlite'],
    ['postgres', 'postgres'],
  ] as const)
    for (const before of places)
      for (const after of places) goesAlong({ from: [from, before], to: [to, after] })
})
