/** The labels of a definition: every name in them is checked. */
import type { EntityLabels, LabelsByLanguage } from '../../core/language/language.ts'
import { isLocale } from '../../core/locale.ts'
import { notKnown } from '../../core/names.ts'
import type { Names, Shape } from '../definition.ts'
import { NamedFields } from './named-fields.ts'
import type { AnyConsoleOptions } from './options.ts'

interface LabelledDefinition {
  names: Names
  shape: Shape
  actions: readonly string[]
  console: AnyConsoleOptions
}

const groups = {
  one: 0,
  many: 0,
  gender: 0,
  description: 0,
  fields: 0,
  words: 0,
  actions: 0,
  sections: 0,
  views: 0,
  badges: 0,
  texts: 0,
} satisfies Record<keyof EntityLabels, 0>

/** @throws Error for an unknown name, with the nearest known one */
export function requireLabels(labels: LabelsByLanguage, definition: LabelledDefinition): void {
  const fields = new NamedFields(definition.names.name, definition.shape)
  const { list = {}, sections = [], badges = {} } = definition.console
  const known = {
    actions: definition.actions,
    sections: sections.map(({ title }) => title),
    views: (list.views ?? []).map(({ name }) => name),
    badges: Object.keys(badges),
  }
  for (const [language, own] of Object.entries(labels)) {
    const place = `labels.${language}`
    if (!isLocale(language)) fields.refuse('labels', `${language} is no language tag like de or pt-BR`)
    for (const name of Object.keys(own)) fields.oneOf(place, name, Object.keys(groups), 'no label')
    if ((own.one === undefined) !== (own.many === undefined))
      fields.refuse(place, 'one and many belong together')
    requireNames(fields, known, { place, own })
    requireFields(fields, definition.shape, { place, own })
  }
}

interface LanguageLabels {
  place: string
  own: EntityLabels
}

type NamedGroup = 'actions' | 'sections' | 'views' | 'badges'

function requireNames(
  fields: NamedFields,
  known: Record<NamedGroup, readonly string[]>,
  { place, own }: LanguageLabels,
): void {
  for (const group of ['actions', 'sections', 'views', 'badges'] as const)
    for (const name of Object.keys(own[group] ?? {}))
      fields.oneOf(`${place}.${group}`, name, known[group], `none of its ${group}`)
}

function requireFields(fields: NamedFields, { children }: Shape, { place, own }: LanguageLabels): void {
  for (const name of Object.keys(own.fields ?? {})) {
    const [list = '', ...path] = name.split('.')
    fields.named(`${place}.fields`, list)
    if (path.length === 0) continue
    const inner = path.join('.') // no field has a dot in its name
    const names = children.find((child) => child.name === list)?.members.map(({ field }) => field) ?? []
    if (!names.includes(inner))
      fields.refuse(`${place}.fields`, notKnown(inner, `no field of ${list}`, names))
  }
  for (const [name, words] of Object.entries(own.words ?? {})) {
    const { spec } = fields.named(`${place}.words`, name, ['enum'])
    for (const word of Object.keys(words))
      fields.oneOf(`${place}.words.${name}`, word, spec.values ?? [], 'no word of it')
  }
}
