/** Checks the hints of a definition for the console, and replaces names of fields by those of members. */
import { defined } from '../../core/defined.ts'
import {
  type ActionHints,
  type ConsoleHints,
  tints,
  type WidgetHint,
} from '../../core/feature/console-hints.ts'
import type { HintedEntity } from '../../core/feature/hinted-entity.ts'
import { iconNames } from '../../core/feature/icons.ts'
import type { Names, Shape } from '../definition.ts'
import { actionHintsOf } from './action-hints.ts'
import { badgesOf } from './badge.ts'
import type { Filters } from './condition.ts'
import { type CheckedFigure, figureOf } from './figure.ts'
import { HintCheck } from './hint-check.ts'
import { listHints } from './list-hints.ts'
import { NamedFields } from './named-fields.ts'
import type { AnyConsoleOptions, RelatedOptions } from './options.ts'
import { placeholdersOf } from './template.ts'
import { widgetOf } from './widget.ts'

export interface CheckedHints {
  /** The member that the definition names; `null` for none. */
  title: string | null
  /** The members of a list that it names. */
  columns: readonly string[]
  /** The widgets by member. */
  widgets: ReadonlyMap<string, WidgetHint>
  /** The hints by action. */
  actions: ReadonlyMap<string, ActionHints>
  console: ConsoleHints
  /** The figure of the entity on the console's home page. */
  figure: CheckedFigure | null
  /** The hints that name other entities. They are checked at the start, when all entities are declared. */
  hinted: () => readonly HintedEntity[]
}

export interface HintedDefinition {
  names: Names
  shape: Shape
  actions: readonly string[]
  /** Makes the filters of the list; called only if a hint has a condition. */
  filters: () => Filters
}

/** @throws Error for an unknown name, with the nearest known one */
export function hintsOf(given: AnyConsoleOptions, definition: HintedDefinition): CheckedHints {
  const { names, shape } = definition
  const check = new HintCheck(new NamedFields(names.name, shape), definition.filters)
  check.requireMembers('console', given, hintNames)
  const { title, list = {}, widgets = {}, actions = {}, related = {}, subtitle, home } = given
  const figure = home === undefined ? null : figureOf(check, home)
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
    console: { ...described(check, given), ...(figure !== null && { home: figure.hint }) },
    figure,
    hinted: () => [
      ...relatedTo(names, related),
      ...(subtitle === undefined ? [] : stepsOf(names.name, subtitle, check.fields)),
    ],
  }
}

/** An object, so that the compiler tells if the type of the options has other names. */
export const hintNames = {
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

function described(check: HintCheck, given: AnyConsoleOptions): ConsoleHints {
  const { icon, tint, group, order, hidden, subtitle, image, list, sections, badges, related, help } = given
  if (tint !== undefined) check.fields.oneOf('console.tint', tint, tints, 'no tint')
  if (hidden !== undefined) check.fields.oneOf('console.hidden', hidden, ['navigation'], 'no place')
  if (subtitle !== undefined) requireTemplate(check.fields, subtitle)
  return {
    ...(icon !== undefined && iconOf(check.fields, icon)),
    ...defined({ tint, group, order, hidden, subtitle, help }),
    ...(image !== undefined && { image: imageOf(check.fields, image) }),
    ...(list !== undefined && { list: listHints(check, list) }),
    ...(sections !== undefined && {
      sections: sections.map((section, index) => sectionOf(check, section, index)),
    }),
    ...(badges !== undefined && { badges: badgesOf(check, badges) }),
    ...(related !== undefined && { related: relatedHints(related) }),
  }
}

/** The commands and numbers of an SVG path. */
const svgPathPattern = /^[Mm][MmLlHhVvCcSsQqTtAaZz\d\s,.e+-]*$/
const maxIconPath = 2000

function iconOf(
  fields: NamedFields,
  icon: NonNullable<AnyConsoleOptions['icon']>,
): Pick<ConsoleHints, 'icon' | 'iconPath'> {
  if (typeof icon === 'string') {
    fields.oneOf('console.icon', icon, iconNames, 'no icon')
    return { icon }
  }
  const { path } = icon
  if (path.length > maxIconPath || !svgPathPattern.test(path))
    fields.refuse('console.icon', `write the path of an SVG of at most ${maxIconPath} characters`)
  return { iconPath: path }
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

/** The fields of referenced entities that a subtitle names: `name` in `{customer.name}`. */
function stepsOf(entity: string, template: string, fields: NamedFields): HintedEntity[] {
  const place = 'console.subtitle'
  return (placeholdersOf(template) ?? []).flatMap(({ field, step }) => {
    const { spec } = fields.named(place, field)
    const target = spec.file === undefined ? spec.target?.() : undefined
    if (step === null || target === undefined) return []
    return [{ place: `${entity}.${place}`, entity: target.name, fields: [step] }]
  })
}

type Section = NonNullable<AnyConsoleOptions['sections']>[number]

function sectionOf(check: HintCheck, section: Section, index: number) {
  const { title, description, fields, side, folded, if: condition } = section
  const place = `console.sections.${index}`
  return {
    title,
    ...defined({ description, side, folded }),
    fields: check.membersOf(`${place}.fields`, fields),
    ...(condition !== undefined && { if: check.condition(`${place}.if`, condition) }),
  }
}

function relatedTo({ name }: Names, related: Readonly<Record<string, RelatedOptions>>): HintedEntity[] {
  return Object.entries(related).map(([entity, { by, columns = [], sort }]) => ({
    place: `${name}.console.related.${entity}`,
    entity,
    refersTo: name,
    fields: [...columns, ...(sort === undefined ? [] : [sort.replace(/^-/, '')])],
    ...defined({ by }),
  }))
}

/** Keeps the hints as they are stated. A request finds what they name, when all entities are known. */
function relatedHints(related: Readonly<Record<string, RelatedOptions>>): ConsoleHints['related'] & object {
  return Object.entries(related).map(([entity, { by = '', columns = [], ...rest }]) => ({
    entity,
    by,
    columns: [...columns],
    ...rest,
  }))
}
