/** The height of rows that the user has chosen, the same in every browser. */
import { useEffect } from 'preact/hooks'
import { type Density, densityIn } from './densities.ts'
import type { EntityDescription } from './describe.ts'
import { usePreference } from './preference.ts'
import { applyDensity, density } from './theme.ts'

/** Of a list: that in its address, that of the user, or that of the definition. */
export function densityOf(
  { console: hints }: EntityDescription,
  query: URLSearchParams,
  own: Density | null,
): Density | null {
  return densityIn(query.get('density')) ?? own ?? hints?.list?.density ?? null
}

/** @returns `null` before the user has chosen one, and what chooses another */
export function useDensity(userId: string): [Density | null, (chosen: Density) => void] {
  const [stored, store] = usePreference(userId, 'density')
  const chosen = densityIn(stored)
  useEffect(() => {
    if (chosen !== null && chosen !== density()) applyDensity(chosen)
  }, [chosen])
  return [
    chosen ?? density(),
    (next) => {
      applyDensity(next)
      store(next)
    },
  ]
}
