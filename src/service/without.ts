/** The built-in business that an application may leave out. */
import { suggestion } from '../core/names.ts'
import { ConfigError } from '../core/settings/config.ts'
import { builtInEntities } from './built-in-entities.ts'

export const optionalFeatures = [...builtInEntities.map(({ name }) => name), 'orders'] as const

/** `catalog`: products and categories. `orders`: orders of products. */
export type OptionalFeature = (typeof optionalFeatures)[number]

/** @returns whether the service has a feature @throws ConfigError for an unknown name, or orders without products */
export function featuresWithout(
  without: readonly OptionalFeature[] = [],
): (feature: OptionalFeature) => boolean {
  const known: readonly string[] = optionalFeatures
  const faults = without
    .filter((name) => !known.includes(name))
    .map((name) => `without: ${name} is not among ${known.join(', ')}${suggestion(name, known)}`)
  if (without.includes('catalog') && !without.includes('orders'))
    faults.push('without: orders need products; leave out orders as well as catalog')
  if (faults.length > 0) throw new ConfigError(faults)
  return (feature) => !without.includes(feature)
}
