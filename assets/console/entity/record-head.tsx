/** The head of a row's page: its title, its state, and its actions. */
import type { ComponentChildren } from 'preact'
import { useApp } from '../app-context.ts'
import { MomentInWords } from '../component/moment-in-words.tsx'
import { capital, type EntityDescription, type Row, titleOf } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { text } from '../text/text.ts'
import { Badges } from './badges.tsx'
import { EntityTile } from './entity-tile.tsx'
import { subtitleOf } from './subtitle.ts'

interface HeadProps {
  entity: EntityDescription
  row: Row
  children: ComponentChildren
}

export function RecordHead({ entity, row, children }: HeadProps) {
  const { entities } = useApp()
  const { updatedAt } = row
  const { data: subtitle } = useLoaded(`subtitle/${entity.name}/${row.id}/${String(updatedAt)}`, () =>
    subtitleOf(entity, row, entities),
  )
  return (
    <div class="page-head record-head">
      <EntityTile entity={entity} size="large" row={row} />
      <div class="titles">
        <div class="row">
          <h1>{titleOf(entity, row)}</h1>
          <Badges entity={entity} row={row} hasWords />
        </div>
        <p class="soft">
          {subtitle !== null && subtitle !== '' ? subtitle : capital(entity.label)}
          {typeof updatedAt === 'string' && (
            <>
              {' · '}
              {text.record.updated} <MomentInWords value={updatedAt} />
            </>
          )}
        </p>
      </div>
      <div class="end">{children}</div>
    </div>
  )
}
