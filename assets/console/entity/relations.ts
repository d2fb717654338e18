/** Finds the rows of other entities that refer to a row. */
import { capital, type EntityDescription, type FieldDescription, labelOf } from '../describe.ts'
import { loadPage, type Page } from './rows.ts'

export interface Relation {
  entity: EntityDescription
  /** The field of that entity that refers to the row. */
  field: FieldDescription
  label: string
  columns: readonly string[] | null
  sort: string | null
  max: number
  mayAdd: boolean
}

const usualMax = 10

/** @returns the relations; first those that the definition of the entity names, in its order */
export function relationsOf(
  entities: readonly EntityDescription[],
  entity: EntityDescription,
): readonly Relation[] {
  const hints = entity.console?.related ?? []
  const found = entities.flatMap((other) =>
    other.fields
      .filter((field) => field.kind === 'reference' && field.entity === entity.name)
      .filter(() => other.operations.list !== undefined)
      .map((field) => ({ entity: other, field })),
  )
  const relations = found.map(({ entity: other, field }): Relation => {
    const hint = hints.find((each) => each.entity === other.name && each.by === field.name)
    const isAlone = found.filter((each) => each.entity === other).length === 1
    const isOffered = hint === undefined || hint.create === true
    return {
      entity: other,
      field,
      label: isAlone ? capital(other.labels) : `${capital(other.labels)} (${labelOf(field)})`,
      columns: hint?.columns ?? null,
      sort: hint?.sort ?? null,
      max: hint?.max ?? usualMax,
      mayAdd: isOffered && other.operations.create !== undefined && !field.isReadOnly,
    }
  })
  const placeOf = ({ entity: other, field }: Relation) => {
    const place = hints.findIndex((each) => each.entity === other.name && each.by === field.name)
    return place === -1 ? hints.length : place
  }
  return relations.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** @throws ApiError */
export function loadRelated(
  { entity, field, sort, max }: Relation,
  id: string,
  signal?: AbortSignal,
): Promise<Page> {
  const query = { [field.name]: id, limit: `${max}`, count: 'true', sort: sort ?? undefined }
  return loadPage(entity, query, signal)
}

/** @returns the numbers of rows that refer to this one, such as `3 products, 1 order`; '' for none */
export async function referringText(
  entities: readonly EntityDescription[],
  entity: EntityDescription,
  id: string,
): Promise<string> {
  const relations = relationsOf(entities, entity)
  const pages = await Promise.all(
    relations.map((relation) => loadRelated({ ...relation, max: 1 }, id).catch(() => null)),
  )
  const counted = relations.flatMap(({ entity: other }, index) => {
    const total = pages[index]?.total ?? 0
    return total === 0 ? [] : [`${total} ${total === 1 ? other.label : other.labels}`]
  })
  return counted.join(', ')
}
