/** The hints of a definition with the names of members, and every name in them checked. */
import type { ActionHints, ConsoleHints, Tone, WidgetHint } from '../../core/feature/console-hints.ts'
import { densities, layouts, tints, tones } from '../../core/feature/console-hints.ts'
import type { HintedEntity } from '../../core/feature/hinted-entity.ts'
import { iconNames } from '../../core/feature/icon-names.ts'
import { labelOfName } from '../../core/feature/labelled.ts'
import { notKnown } from '../../core/names.ts'
import type { Names, Shape } from '../definition.ts'
import type { Fields } from '../field.ts'
import { actionHintsOf } from './action-hints.ts'
import { conditionOf, type Filters } from './condition.ts'
import { NamedFields } from './named-fields.ts'
import type { ComputedBadge, ConsoleOptions, RelatedOptions } from './options.ts'
import { placeholdersOf } from './template.ts'
import { widgetOf } from './widget.ts'

export interface CheckedHints {
  /** The member that the definition names; `null` for none. */
  title: string | null
  /** The members of a list that it names. */
  columns: readonly string[]
  /** By member. */
  widgets: ReadonlyMap<string, WidgetHint>
  /** By action. */
  actions: ReadonlyMap<string, ActionHints>
  console: ConsoleHints
  /** Made at the start: references may name entities that are declared later. */
  hinted: () => readonly HintedEntity[]
}

/** The hints of any entity. */
export type AnyConsoleOptions = ConsoleOptions<Fields, Record<string, unknown>>

export interface HintedDefinition {
  names: Names
  shape: Shape
  actions: readonly string[]
  /** Called where there is a condition. */
  filters: () => Filters
}

/** @throws Error for a name that there is not, with the nearest */
export function hintsOf(given: AnyConsoleOptions, definition: HintedDefinition): CheckedHints {
  const { names, shape } = definition
  const check = new HintCheck(new NamedFields(names.name, shape), definition.filters)
  requireMembers(check, 'console', given, memberNames)
  const { title, list = {}, widgets = {}, actions = {}, related = {}, subtitle } = given
  return {
    title: title === undefined ? null : check.titled('console.title', title),
    columns: check.membersOf('console.list.columns', list.columns ?? []),
    widgets: new Map(
      Object.entries(widgets).map(([name, widget]) => {
        const place = `console.widgets.${name}`
        const field = check.fields.named('console.widgets', name)
        return [field.member, widgetOf(check.fields, place, { field, widget })] as const
      }),
    ),
    actions: actionHintsOf(check.fields, actions, definition.actions),
    console: described(check, given),
    hinted: () => [
      ...relatedTo(names, related),
      ...(subtitle === undefined ? [] : stepsOf(names.name, subtitle, check.fields)),
    ],
  }
}

const memberNames = {
  icon: 0,
  tint: 0,
  group: 0,
  order: 0,
  hidden: 0,
  title: 0,
  subtitle: 0,
  image: 0,
  list: 0,
  sections: 0,
  widgets: 0,
  badges: 0,
  related: 0,
  actions: 0,
  help: 0,
  home: 0,
} satisfies Record<keyof AnyConsoleOptions, 0>
const listNames = { columns: 0, sort: 0, density: 0, views: 0, group: 0, pageSize: 0 }

/** The names that a definition in JavaScript may misspell, whom no compiler warns. */
function requireMembers(check: HintCheck, place: string, given: object, known: object): void {
  for (const name of Object.keys(given)) check.fields.oneOf(place, name, Object.keys(known), 'no hint')
}

class HintCheck {
  readonly fields: NamedFields
  readonly #filters: () => Filters

  constructor(fields: NamedFields, filters: () => Filters) {
    this.fields = fields
    this.#filters = filters
  }

  membersOf(place: string, names: readonly string[]): string[] {
    return names.map((name) => this.fields.named(place, name).member)
  }

  titled(place: string, name: string): string {
    return this.fields.named(place, name, ['text', 'sequence', 'integer', 'enum', 'date']).member
  }

  sort(place: string, name: string): string {
    const { member } = this.fields.named(place, name.replace(/^-/, ''))
    return `${name.startsWith('-') ? '-' : ''}${member}`
  }

  condition(place: string, given: object): Record<string, string> {
    return conditionOf(this.fields, this.#filters(), { place, given: { ...given } })
  }
}

function described(check: HintCheck, given: AnyConsoleOptions): ConsoleHints {
  const { icon, tint, group, order, hidden, subtitle, image, list, sections, badges, related, help, home } =
    given
  if (icon !== undefined) check.fields.oneOf('console.icon', icon, iconNames, 'no icon')
  if (tint !== undefined) check.fields.oneOf('console.tint', tint, tints, 'no tint')
  if (hidden !== undefined) check.fields.oneOf('console.hidden', hidden, ['navigation'], 'no place')
  if (subtitle !== undefined) requireTemplate(check.fields, subtitle)
  return {
    ...present({ icon, tint, group, order, hidden, subtitle, help }),
    ...(image !== undefined && { image: imageOf(check.fields, image) }),
    ...(list !== undefined && { list: listHints(check, list) }),
    ...(sections !== undefined && { sections: sections.map((section, at) => sectionOf(check, section, at)) }),
    ...(badges !== undefined && { badges: badgesOf(check, badges) }),
    ...(related !== undefined && { related: relatedHints(related) }),
    ...(home !== undefined && { home: homeOf(check, home) }),
  }
}

function imageOf(fields: NamedFields, name: string): string {
  const { member, spec } = fields.named('console.image', name, ['reference'])
  return spec.file === undefined ? fields.refuse('console.image', `${name} is no file`) : member
}

function requireTemplate(fields: NamedFields, template: string): void {
  const place = 'console.subtitle'
  const named = placeholdersOf(template)
  if (named === null) fields.refuse(place, 'write names of fields as {number} or {customer.name}')
  for (const { field, step } of named ?? []) {
    const { kind, spec } = fields.named(place, field)
    if (kind === 'many' || kind === 'json') fields.refuse(place, `${field} is ${kind}, which is no text`)
    if (step !== null && spec.target === undefined)
      fields.refuse(place, `${field} refers to no entity: {${field}.${step}} names nothing`)
  }
}

function stepsOf(entity: string, template: string, fields: NamedFields): HintedEntity[] {
  const place = 'console.subtitle'
  return (placeholdersOf(template) ?? []).flatMap(({ field, step }) => {
    const { spec } = fields.named(place, field)
    const target = spec.file === undefined ? spec.target?.() : undefined
    if (step === null || target === undefined) return []
    return [{ place: `${entity}.${place}`, entity: target.name, fields: [step] }]
  })
}

function listHints(
  check: HintCheck,
  list: NonNullable<AnyConsoleOptions['list']>,
): NonNullable<ConsoleHints['list']> {
  const place = 'console.list'
  requireMembers(check, place, list, listNames)
  const { sort, density, views, group, pageSize } = list
  if (density !== undefined) check.fields.oneOf(`${place}.density`, density, densities, 'no density')
  return {
    ...present({ density, pageSize }),
    ...(sort !== undefined && { sort: check.sort(`${place}.sort`, sort) }),
    ...(group !== undefined && { group: check.fields.named(`${place}.group`, group).member }),
    ...(views !== undefined && { views: views.map((view) => viewOf(check, view)) }),
  }
}

type View = NonNullable<NonNullable<AnyConsoleOptions['list']>['views']>[number]

function viewOf(check: HintCheck, { name, filter, sort, layout, group }: View) {
  const place = `console.list.views.${name}`
  if (layout !== undefined) check.fields.oneOf(`${place}.layout`, layout, layouts, 'no layout')
  if (layout === 'board' && group === undefined)
    check.fields.refuse(place, 'a board needs group, an enum with its columns')
  const kinds = layout === 'board' ? (['enum'] as const) : undefined
  return {
    name,
    label: name,
    filter: check.condition(`${place}.filter`, filter),
    ...(sort !== undefined && { sort: check.sort(`${place}.sort`, sort) }),
    ...present({ layout }),
    ...(group !== undefined && { group: check.fields.named(`${place}.group`, group, kinds).member }),
  }
}

type Section = NonNullable<AnyConsoleOptions['sections']>[number]

function sectionOf(check: HintCheck, section: Section, at: number) {
  const { title, description, fields, side, folded, if: condition } = section
  const place = `console.sections.${at}`
  return {
    title,
    ...present({ description, side, folded }),
    fields: check.membersOf(`${place}.fields`, fields),
    ...(condition !== undefined && { if: check.condition(`${place}.if`, condition) }),
  }
}

function badgesOf(
  check: HintCheck,
  badges: NonNullable<AnyConsoleOptions['badges']>,
): NonNullable<ConsoleHints['badges']> {
  return Object.entries(badges).map(([name, badge]) => {
    const place = `console.badges.${name}`
    if (typeof badge['if'] === 'object') return computedBadge(check, name, badge as ComputedBadge<Fields>) // it has a condition
    const { member, spec } = check.fields.named('console.badges', name, ['enum'])
    for (const [word, tone] of Object.entries(badge)) {
      check.fields.oneOf(place, word, spec.values ?? [], `no word of ${name}`)
      check.fields.oneOf(`${place}.${word}`, tone, tones, 'no tone')
    }
    return { name: member, tones: badge as Record<string, Tone> } // checked above
  })
}

function computedBadge(check: HintCheck, name: string, { if: given, text, tone }: ComputedBadge<Fields>) {
  const place = `console.badges.${name}`
  check.fields.oneOf(`${place}.tone`, tone, tones, 'no tone')
  return { name, if: check.condition(`${place}.if`, given), text: text ?? labelOfName(name), tone }
}

function relatedTo({ name }: Names, related: Readonly<Record<string, RelatedOptions>>): HintedEntity[] {
  return Object.entries(related).map(([entity, { by, columns = [], sort }]) => ({
    place: `${name}.console.related.${entity}`,
    entity,
    refersTo: name,
    fields: [...columns, ...(sort === undefined ? [] : [sort.replace(/^-/, '')])],
    ...present({ by }),
  }))
}

/** As they are stated: what they name is found with the request, when all entities are known. */
function relatedHints(related: Readonly<Record<string, RelatedOptions>>): ConsoleHints['related'] & object {
  return Object.entries(related).map(([entity, { by = '', columns = [], ...rest }]) => ({
    entity,
    by,
    columns: [...columns],
    ...rest,
  }))
}

function homeOf(check: HintCheck, { figure, if: condition }: NonNullable<AnyConsoleOptions['home']>) {
  const place = 'console.home.figure'
  const [, summed] = /^sum\((.*)\)$/.exec(figure) ?? []
  if (summed === undefined && figure !== 'count')
    check.fields.refuse(place, `${notKnown(figure, 'no figure', ['count'])}: write count or sum(field)`)
  const member = summed === undefined ? null : check.fields.named(place, summed, ['money', 'integer']).member
  return {
    figure: member === null ? figure : `sum(${member})`,
    ...(condition !== undefined && { if: check.condition('console.home.if', condition) }),
  }
}

/** Without the members that are undefined. */
function present<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never // a part of it
}
