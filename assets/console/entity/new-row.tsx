/** The page that creates a row. */
import { useState } from 'preact/hooks'
import { toast } from '../component/toast.tsx'
import { type EntityDescription, type FieldDescription, titleOf } from '../describe.ts'
import { cameFrom, goTo, hrefOf, usePlace } from '../router.ts'
import { useTitle } from '../shell/title.ts'
import { text } from '../text/text.ts'
import { EntityTile } from './entity-tile.tsx'
import { NewForm } from './form.tsx'

export function NewRow({ entity }: { entity: EntityDescription }) {
  const list = hrefOf(`/entities/${entity.name}`)
  const { query } = usePlace()
  const title = text.action.newRow(entity.label)
  const [turn, setTurn] = useState(0)
  useTitle(title)
  const given = entity.fields.flatMap((field) => {
    const value = query.get(field.name)
    const isPreset = value !== null && !field.isReadOnly && field.kind !== 'many' && field.kind !== 'json'
    return isPreset ? [[field.name, givenBy(field, value)] as const] : []
  })
  return (
    <div class="stack record">
      <div class="page-head record-head">
        <EntityTile entity={entity} size="large" />
        <h1>{title}</h1>
      </div>
      <NewForm
        key={turn}
        entity={entity}
        given={Object.fromEntries(given)}
        onSaved={({ row }, stays) => {
          if (!stays) return goTo(`${list}/${row.id}`, { from: null })
          toast(text.record.created(titleOf(entity, row)))
          setTurn(turn + 1)
        }}
        onCancel={() => goTo(given.length > 0 ? (cameFrom() ?? list) : list)}
      />
    </div>
  )
}

/** @returns the value for a field that the address presets */
function givenBy({ kind }: FieldDescription, value: string): unknown {
  if (kind === 'boolean') return value === 'true'
  if (kind !== 'integer' && kind !== 'money') return value
  return value.trim() === '' || Number.isNaN(Number(value)) ? null : Number(value)
}
