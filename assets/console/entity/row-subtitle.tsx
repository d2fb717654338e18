/** The line below the title of a row, from the definition of its entity, such as `#41 · Nordic Timber`. */
import { useApp } from '../app-context.ts'
import type { EntityDescription, Row } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { subtitleOf } from './subtitle.ts'

export function Subtitle({ entity, row }: { entity: EntityDescription; row: Row }) {
  const { entities } = useApp()
  const key = `subtitle/${entity.name}/${row.id}/${String(row['updatedAt'])}`
  const { data } = useLoaded(key, () => subtitleOf(entity, row, entities))
  return <span class="soft truncate">{data}</span>
}
