import { Tile, tints } from '../component/tile.tsx'
import type { EntityDescription } from '../describe.ts'
import { useIcons } from '../shell/entity-icon.ts'

/** The sign of an entity, as its definition says it. */
export function EntityTile({ entity, size }: { entity: EntityDescription; size?: 'large' }) {
  const iconOf = useIcons()
  const tint = tints.find((each) => each === entity.console?.tint)
  return (
    <Tile
      name={entity.name}
      icon={iconOf(entity)}
      {...(tint !== undefined && { tint })}
      {...(size !== undefined && { size })}
    />
  )
}
