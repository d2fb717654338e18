import { Tile, tints } from '../component/tile.tsx'
import type { EntityDescription, Row } from '../describe.ts'
import { iconOf } from '../shell/entity-icon.ts'
import { hrefOfFile, type StoredFile } from './file.tsx'

interface TileProps {
  entity: EntityDescription
  size?: 'large'
  /** The row whose picture is shown, if it has one. */
  row?: Row
}

/** The icon of an entity, as its definition says, or the picture of a row. */
export function EntityTile({ entity, size, row }: TileProps) {
  const tint = tints.find((each) => each === entity.console?.tint)
  const image = entity.fields.find(({ name }) => name === entity.console?.image)
  const picture = row?.[image?.relation ?? ''] as StoredFile | null | undefined // the service gives a file so
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
