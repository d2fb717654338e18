/** Checks the hints and labels of a definition, and describes its entity for programs such as the console. */
import type { Feature } from '../../core/feature/feature.ts'
import type { GraphQLPart } from '../../core/feature/field.ts'
import type { LabelsByLanguage } from '../../core/language/language.ts'
import { describe } from '../describe.ts'
import { listQueryOf } from '../list.ts'
import type { EntityParts } from '../parts.ts'
import { type CheckedHints, hintsOf } from './hints.ts'
import { requireLabels } from './labels.ts'
import type { AnyConsoleOptions } from './options.ts'

/** The options of a definition, without its type parameters. */
export interface NamedOptions {
  plural?: string
  labels?: LabelsByLanguage
}

export interface HintedOptions {
  console?: AnyConsoleOptions
  actions?: Readonly<Record<string, unknown>>
}

/** @throws Error for an unknown name, with the nearest known one */
export function checkedHints(
  { names, shape, model, search }: Pick<EntityParts, 'names' | 'shape' | 'model' | 'search'>,
  { console = {}, actions: declared = {} }: HintedOptions,
): CheckedHints {
  const actions = Object.keys(declared)
  requireLabels(names.translations, { names, shape, actions, console })
  let filters: ReturnType<typeof listQueryOf>['filters'] | null = null
  return hintsOf(console, {
    names,
    shape,
    actions,
    filters: () => (filters ??= listQueryOf({ model, search }).filters),
  })
}

/** The members of the feature that the checks at the start and the description of the entity need. */
export function describedBy(
  parts: EntityParts,
  { sorted, graphql }: { sorted: readonly string[]; graphql: GraphQLPart },
): Pick<Feature, 'plural' | 'languages' | 'hinted' | 'describe'> {
  const { plural, translations } = parts.names
  return {
    plural,
    languages: Object.keys(translations),
    hinted: parts.hints.hinted,
    describe: () => describe(parts, { sorted, subscriptions: Object.keys(graphql.subscriptions ?? {}) }),
  }
}
