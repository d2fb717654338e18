/** A small square or round sign of an entity, a person or a tenant: an icon or initials, in one of six tints. */
import type { IconNode } from 'lucide'
import { language } from '../text/text.ts'
import { Icon } from './icon.tsx'

export const tints = ['iris', 'green', 'amber', 'red', 'blue', 'neutral'] as const
export type Tint = (typeof tints)[number]

interface TileProps {
  /** The name whose initials are shown. It also decides the tint if none is given. */
  name: string
  icon?: IconNode | null
  tint?: Tint
  size?: 'small' | 'large'
  isRound?: boolean | undefined
}

export function Tile({ name, icon = null, tint = tintOf(name), size, isRound = false }: TileProps) {
  return (
    <span
      class={['tile', size, isRound && 'round'].filter(Boolean).join(' ')}
      data-tint={tint}
      aria-hidden="true"
    >
      {icon === null ? initialsOf(name) : <Icon node={icon} />}
    </span>
  )
}

/** @returns the initials: `NT` of `Nordic Timber`, `A` of `Acme` */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== '')
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase(language)
}

/** @returns a tint for a name, which is the same everywhere */
export function tintOf(name: string): Tint {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return tints[sum % tints.length] ?? 'neutral'
}
