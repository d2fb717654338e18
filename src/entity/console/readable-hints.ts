/** Hints as a caller gets them: without those that name a member or an entity that the caller may not read. */
import type { ConsoleHints } from '../../core/feature/console-hints.ts'
import type { DescribedField, EntityDescription } from '../../core/feature/entity-description.ts'
import { defaultColumns } from './default-columns.ts'
import { placeholdersOf } from './template.ts'

/**
 * @param entity with the fields and operations of the caller
 * @param readable the entities whose rows the caller may list, as the caller sees them, by name and by plural
 */
export function readableHints(
  entity: EntityDescription,
  readable: ReadonlyMap<string, EntityDescription>,
): EntityDescription {
  const { fields, title } = entity
  const reads = readerOf(fields)
  const declared = entity.defaultColumns.filter(reads)
  const actions = new Set(entity.actions.map(({ name }) => name))
  return {
    ...entity,
    defaultColumns: declared.length > 0 ? declared : defaultColumns(fields, title),
    actions: entity.actions.map((action) => {
      const { undo, ...hints } = action.console ?? {}
      if (undo === undefined || actions.has(undo)) return action
      return { ...action, console: hints }
    }),
    console: cut(entity, reads, readable),
  }
}

type Reads = (member: string) => boolean

function readerOf(fields: readonly DescribedField[]): Reads {
  const names = new Set([...fields.map(({ name }) => name), 'createdAt', 'updatedAt'])
  return (member) => names.has(member)
}

function cut(
  { name, console: hints, fields }: EntityDescription,
  reads: Reads,
  readable: ReadonlyMap<string, EntityDescription>,
): ConsoleHints {
  const { subtitle, image, list, sections, badges, related, home, ...plain } = hints
  const found = related?.flatMap((each) => relatedOf(name, each, readable))
  return {
    ...plain,
    ...(subtitle !== undefined && isReadable(subtitle, fields, readable) && { subtitle }),
    ...(image !== undefined && reads(image) && { image }),
    ...(list !== undefined && { list: cutList(list, reads) }),
    ...(sections !== undefined && { sections: sections.flatMap((each) => cutSection(each, reads)) }),
    ...(badges !== undefined && {
      badges: badges.filter((each) => (each.if === undefined ? reads(each.name) : readsAll(each.if, reads))),
    }),
    ...(found !== undefined && { related: found }),
    ...(home !== undefined && readsFigure(home, reads) && { home }),
  }
}

/** Whether the caller reads all members that a condition compares: `dueOn[lt]` compares `dueOn`. */
function readsAll(condition: Readonly<Record<string, string>>, reads: Reads): boolean {
  return Object.keys(condition).every((parameter) => reads(parameter.replace(/\[.*$/, '')))
}

function readsSort(sort: string, reads: Reads): boolean {
  return reads(sort.replace(/^-/, ''))
}

function cutList(list: ConsoleHints['list'] & object, reads: Reads): ConsoleHints['list'] & object {
  const { sort, group, views, ...plain } = list
  return {
    ...plain,
    ...(sort !== undefined && readsSort(sort, reads) && { sort }),
    ...(group !== undefined && reads(group) && { group }),
    ...(views !== undefined && {
      views: views.filter(
        (view) =>
          readsAll(view.filter, reads) &&
          (view.sort === undefined || readsSort(view.sort, reads)) &&
          (view.group === undefined || reads(view.group)),
      ),
    }),
  }
}

type Section = (ConsoleHints['sections'] & object)[number]

/** Leaves out the section if a caller cannot evaluate its condition: the console shows its members without it. */
function cutSection(section: Section, reads: Reads): Section[] {
  if (section.if !== undefined && !readsAll(section.if, reads)) return []
  const fields = section.fields.filter(reads)
  return fields.length === 0 ? [] : [{ ...section, fields }]
}

function readsFigure({ figure, if: condition = {} }: ConsoleHints['home'] & object, reads: Reads): boolean {
  const [, member] = /^\w+\((.*)\)$/.exec(figure) ?? []
  return (member === undefined || reads(member)) && readsAll(condition, reads)
}

function isReadable(
  template: string,
  fields: readonly DescribedField[],
  readable: ReadonlyMap<string, EntityDescription>,
): boolean {
  return (placeholdersOf(template) ?? []).every(({ field, step }) => {
    const found = named(fields, field)
    if (found === undefined || step === null) return found !== undefined || isTime(field)
    const target = readable.get(found.entity ?? '')
    return target !== undefined && (named(target.fields, step) !== undefined || isTime(step))
  })
}

/** Finds a field by its name in the definition: that of the relation, or of the member. */
function named(fields: readonly DescribedField[], name: string): DescribedField | undefined {
  return fields.find((each) => (each.relation ?? each.name) === name)
}

function isTime(name: string): boolean {
  return name === 'createdAt' || name === 'updatedAt'
}

type Related = (ConsoleHints['related'] & object)[number]

function relatedOf(
  name: string,
  { entity, by, columns, sort, ...rest }: Related,
  readable: ReadonlyMap<string, EntityDescription>,
): Related[] {
  const other = readable.get(entity)
  if (other === undefined) return []
  // An empty `by` stands for the first field that refers to the entity.
  const referring = other.fields.find(
    (field) => field.entity === name && (by === '' || field.relation === by),
  )
  if (referring === undefined) return []
  const memberOf = (field: string) => named(other.fields, field)?.name ?? (isTime(field) ? field : null)
  const shown = columns.flatMap((column) => memberOf(column) ?? [])
  const sorted = sort === undefined ? null : memberOf(sort.replace(/^-/, ''))
  const usual = defaultColumns(other.fields, other.title).filter((column) => column !== referring.name)
  return [
    {
      entity: other.name,
      by: referring.name,
      columns: shown.length > 0 ? shown : usual,
      ...(sorted !== null && { sort: `${sort?.startsWith('-') ? '-' : ''}${sorted}` }),
      ...rest,
      ...(rest.create === true && { create: other.operations.create !== undefined }),
    },
  ]
}
