/** The rows of another entity that refer to a row: the first of them, and links to all and to create one. */
import { Plus } from 'lucide'
import { type Column, DataTable } from '../component/data-table.tsx'
import { Icon } from '../component/icon.tsx'
import { type FieldDescription, labelOf, type Row, titleOf } from '../describe.ts'
import type { Loaded } from '../load.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { columnsOf } from './list-state.ts'
import type { Relation } from './relations.ts'
import type { Page } from './rows.ts'
import { isNumber, Value } from './value.tsx'

interface RelatedProps {
  relation: Relation
  id: string
  loaded: Loaded<Page>
}

export function RelatedRows({ relation, id, loaded }: RelatedProps) {
  const { entity, field, label, columns, mayAdd } = relation
  const given = { [field.name]: id }
  const shown = columnsOf(entity, columns).filter((each) => each !== field)
  const { data } = loaded
  return (
    <div class="stack">
      <div class="row">
        <span class="end row">
          {data !== null && (data.total ?? 0) > data.rows.length && (
            <a class="button plain" href={hrefOf(`/entities/${entity.name}`, given)}>
              {text.record.firstOf(data.rows.length, data.total ?? 0)}
            </a>
          )}
          {mayAdd && (
            <a class="button" href={hrefOf(`/entities/${entity.name}/new`, given)}>
              <Icon node={Plus} />
              {text.action.newRow(entity.label)}
            </a>
          )}
        </span>
      </div>
      <DataTable
        label={label}
        columns={tableColumns(relation, shown)}
        loaded={{ ...loaded, data: data?.rows ?? null }}
        keyOf={(row) => row.id}
        empty={<p>{text.record.noRelated(entity.labels)}</p>}
      />
    </div>
  )
}

function tableColumns({ entity }: Relation, fields: readonly FieldDescription[]): Column<Row>[] {
  const linked = fields.find(({ name }) => name === entity.title) ?? fields[0]
  return fields.map((field) => ({
    label: labelOf(field),
    isNumber: isNumber(field) && field !== linked,
    show: (row) =>
      field === linked ? (
        <a href={hrefOf(`/entities/${entity.name}/${row.id}`)}>{titleOf(entity, row)}</a>
      ) : (
        <Value field={field} value={row[field.name]} entity={entity} />
      ),
  }))
}
