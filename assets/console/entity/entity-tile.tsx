import { Tile, tints } from '../component/tile.tsx'
import type { EntityDescription, Row } from '../describe.ts'
import { iconOf } from '../shell/entity-icon.ts'
import { hrefOfFile, type StoredFile } from './file.tsx'

interface TileProps {
  entity: EntityDescription
  size?: 'large'
  /** Whose picture it is, if it has one. */
  row?: Row
}

/** The sign of an entity, as its definition says it, or the picture of a row. */
export function EntityTile({ entity, size, row }: TileProps) {
  const tint = tints.find((each) => each === entity.console?.tint)
  const image = entity.fields.find(({ name }) => name === entity.console?.image)
  const picture = row?.[image?.relation ?? ''] as StoredFile | null | undefined // as the row has it
  if (picture?.type.startsWith('image/'))
    return <img class={`tile ${size}`} src={hrefOfFile(picture)} alt="" />
  return (
    <Tile
      name={entity.name}
      icon={iconOf(entity.console?.iconPath)}
      {...(tint !== undefined && { tint })}
      {...(size !== undefined && { size })}
    />
  )
}
