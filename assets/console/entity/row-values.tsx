/** The values of a row, and the rows that belong to it. */

import { ScrollingTable } from '../component/data-table.tsx'
import {
  allFields,
  type EntityDescription,
  type FieldDescription,
  labelOf,
  type Values,
  words,
} from '../describe.ts'
import { Value } from './value.tsx'

export function RowValues({ entity, values }: { entity: EntityDescription; values: Values }) {
  const fields = allFields(entity)
  const lists = fields.filter(({ kind }) => kind === 'many')
  return (
    <>
      <dl class="values card">
        <dt>{words('id')}</dt>
        <dd>
          <code>{String(values['id'])}</code>
        </dd>
        {fields
          .filter(({ kind }) => kind !== 'many')
          .map((field) => [
            <dt key={`${field.name}-name`}>{labelOf(field)}</dt>,
            <dd key={field.name}>
              <Value field={field} value={values[field.name]} />
            </dd>,
          ])}
      </dl>
      {lists.map((field) => (
        <Items key={field.name} field={field} value={values[field.name]} />
      ))}
    </>
  )
}

function Items({ field, value }: { field: FieldDescription; value: unknown }) {
  const items = Array.isArray(value) ? (value as Values[]) : [] // rows of a `many`
  const fields = field.fields ?? []
  return (
    <div class="stack">
      <h2>{words(field.name)}</h2>
      <ScrollingTable label={words(field.name)} isLoading={false}>
        <thead>
          <tr>
            {fields.map((each) => (
              <th scope="col" key={each.name}>
                {labelOf(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              {fields.map((each) => (
                <td key={each.name}>
                  <Value field={each} value={item[each.name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
    </div>
  )
}
