/** The descriptions of all entities, each made at the first request in a language, and cached. */
import { auditedActions } from '../core/audit/action.ts'
import type { EntityDescription, EntityDraft } from '../core/feature/entity-description.ts'
import type { Feature } from '../core/feature/feature.ts'
import { labelled } from '../core/feature/labelled.ts'
import { defaultLanguage, languages } from '../core/language/languages.ts'

export type DescribedEntity = (language?: string) => EntityDescription

export function declaredEntities(features: readonly Feature[]): DescribedEntity[] {
  return features.flatMap(({ describe }) => (describe === undefined ? [] : [inLanguages(describe)]))
}

/** @param describe called at the first request, because its schemas take time */
function inLanguages(describe: () => EntityDraft): DescribedEntity {
  let draft: EntityDraft | null = null
  const cached = new Map<string, EntityDescription>()
  return (language = defaultLanguage) => {
    const known = cached.get(language)
    if (known !== undefined) return known
    draft ??= describe()
    const description = labelled(draft, language)
    cached.set(language, description)
    return description
  }
}

/** The tags of the languages of the service, and of those in which features have labels. English is the first. */
export function declaredLanguages(features: readonly Feature[]): string[] {
  const tags = features.flatMap((feature) => [
    ...(feature.languages ?? []),
    ...labelledParts(feature).flatMap(({ labels = {} }) => Object.keys(labels)),
  ])
  return [...new Set([...languages.map(({ tag }) => tag), ...tags])]
}

function labelledParts({ permissions = {}, events = {}, audited = {}, tenantSettings = {} }: Feature) {
  const named = [permissions, events, tenantSettings].flatMap((each) => Object.values(each))
  return [...named, ...auditedActions([audited]).values()]
}
