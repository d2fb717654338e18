/** Describes an entity in a language. Labels that its feature leaves out are made from the names of its members. */
import { capital } from '../capital.ts'
import { type EntityLabels, type TextsByName, textNamed } from '../language/language.ts'
import { defaultLanguage } from '../language/languages.ts'
import type { ConsoleHints } from './console-hints.ts'
import type {
  ActionDescription,
  DescribedField,
  EntityDescription,
  EntityDraft,
} from './entity-description.ts'
import { type IconName, icons } from './icons.ts'

export function labelled(draft: EntityDraft, language: string): EntityDescription {
  const { translations = {}, ...described } = draft
  const english = translations[defaultLanguage] ?? {}
  const own = translations[language] ?? {}
  const textIn = (group: keyof EntityLabels, name: string) =>
    named(own, group, name) ?? named(english, group, name)
  const text = (written: string) => textIn('texts', written) ?? written
  const field = <T extends Omit<EntityDraft['fields'][number], 'fields'>>(each: T, within = '') => {
    const name = `${within}${each.relation ?? each.name}`
    return {
      ...each,
      ...fieldNames(each, { own, english, name }),
      description: each.description && text(each.description),
    }
  }
  return {
    ...described,
    label: own.one ?? english.one ?? draft.label,
    labels: own.many ?? english.many ?? draft.labels,
    description: own.description ?? text(draft.description),
    defaultColumns: draft.defaultColumns ?? [],
    fields: draft.fields.map((each) => ({
      ...field(each),
      fields: each.fields.map((inner) => field(inner, `${each.name}.`)),
    })),
    actions: draft.actions.map((action) => labelledAction(action, textIn)),
    console: labelledHints(draft.console ?? {}, textIn),
  }
}

type TextIn = (group: keyof EntityLabels, name: string) => string | undefined

/** @returns the label of a name: `Unit price` for `unitPrice` */
export function labelOfName(name: string): string {
  return capital(spaced(name))
}

/** @returns the label of a word: `in progress` for `IN_PROGRESS` and `inProgress` */
function labelOfWord(word: string): string {
  const text = spaced(word === word.toUpperCase() ? word.toLowerCase() : word)
  return text.replaceAll(/[_-]/g, ' ')
}

function spaced(name: string): string {
  return name.replace(
    /([a-z0-9])([A-Z])/g,
    (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
  )
}

function named(labels: EntityLabels, group: keyof EntityLabels, name: string): string | undefined {
  const texts = labels[group]
  return typeof texts === 'object' ? textNamed(texts as TextsByName, name) : undefined // the group `words` has no texts
}

function wordNamed({ words = {} }: EntityLabels, field: string, value: string): string | undefined {
  return Object.hasOwn(words, field) ? textNamed(words[field], value) : undefined
}

function fieldNames(
  { label, schema }: Pick<EntityDraft['fields'][number], 'label' | 'schema'>,
  { own, english, name }: { own: EntityLabels; english: EntityLabels; name: string },
): Pick<DescribedField, 'label' | 'words'> {
  const values = (schema as { enum?: readonly unknown[] } | null)?.enum // of a JSON Schema
  const word = (value: string) => wordNamed(own, name, value) ?? wordNamed(english, name, value)
  const words = values?.filter((value) => typeof value === 'string')
  return {
    label:
      named(own, 'fields', name) ??
      named(english, 'fields', name) ??
      label ??
      labelOfName(name.replace(/^.*\./, '')),
    ...(words !== undefined && {
      words: Object.fromEntries(words.map((value) => [value, word(value) ?? labelOfWord(value)])),
    }),
  }
}

function labelledAction(action: EntityDraft['actions'][number], textIn: TextIn): ActionDescription {
  const { console: hints, label } = action
  const confirm = hints?.confirm
  return {
    ...action,
    label: textIn('actions', action.name) ?? label ?? labelOfName(action.name),
    summary: textIn('texts', action.summary) ?? action.summary,
    ...(hints !== undefined && {
      console: {
        ...withPath(hints),
        ...(confirm !== undefined && { confirm: textIn('texts', confirm) ?? confirm }),
      },
    }),
  }
}

/** Adds the drawing of the icon, so that a program that shows it needs no library of icons. */
function withPath<T extends { icon?: IconName }>(hints: T): T & { iconPath?: string } {
  return hints.icon === undefined ? hints : { ...hints, iconPath: icons[hints.icon] }
}

function labelledHints(hints: ConsoleHints, textIn: TextIn): ConsoleHints {
  const text = (written: string) => textIn('texts', written) ?? written
  const { group, help, list, sections, badges, home } = hints
  return {
    ...withPath(hints),
    ...(group !== undefined && { group: text(group) }),
    ...(help !== undefined && { help: text(help) }),
    ...(home?.label !== undefined && { home: { ...home, label: text(home.label) } }),
    ...(list?.views !== undefined && {
      list: {
        ...list,
        views: list.views.map((view) => ({ ...view, label: textIn('views', view.name) ?? view.label })),
      },
    }),
    ...(sections !== undefined && {
      sections: sections.map(({ title, description, ...rest }) => ({
        ...rest,
        title: textIn('sections', title) ?? title,
        ...(description !== undefined && { description: text(description) }),
      })),
    }),
    ...(badges !== undefined && {
      badges: badges.map((badge) =>
        badge.text === undefined
          ? badge
          : { ...badge, text: textIn('badges', badge.name) ?? text(badge.text) },
      ),
    }),
  }
}
