import { randomFrom } from '../support/random-numbers.ts'

export type Pick = <T>(from: readonly T[]) => T

/** @returns one of several, by the seed */
export function pickFrom(seed: number): Pick {
  const random = randomFrom(seed)
  return <T>(from: readonly T[]) => {
    if (from.length === 0) throw new Error('There is nothing to choose from.')
    return from[Math.floor(random() * from.length)] as T // within the list
  }
}
