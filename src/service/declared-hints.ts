/** Checks the references from hints for the console to other entities. */
import { ApplicationError } from '../core/feature/application-error.ts'
import type { DescribedField, EntityDraft } from '../core/feature/entity-description.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { HintedEntity } from '../core/feature/hinted-entity.ts'
import { notKnown } from '../core/names.ts'

/** @throws ApplicationError for an unknown name, with the nearest known one */
export function requireHints(features: readonly Feature[]): void {
  const hinted = features.flatMap((feature) => feature.hinted?.() ?? [])
  if (hinted.length === 0) return
  const drafts = new Map<string, EntityDraft>()
  const described = features.filter(({ describe }) => describe !== undefined)
  for (const each of hinted) requireHinted(each, (name) => draftOf(described, drafts, name), described)
}

type DraftOf = (name: string) => EntityDraft | null

/** Describes only the entities that hints name. The others are described for their first request. */
function draftOf(
  features: readonly Feature[],
  drafts: Map<string, EntityDraft>,
  name: string,
): EntityDraft | null {
  const feature = features.find((each) => each.name === name || each.plural === name)
  const draft = drafts.get(name) ?? feature?.describe?.()
  if (draft === undefined) return null
  drafts.set(name, draft)
  return draft
}

function requireHinted(hinted: HintedEntity, draft: DraftOf, features: readonly Feature[]): void {
  const found = draft(hinted.entity)
  if (found === null) {
    const known = features.flatMap(({ name, plural }) => [plural ?? name])
    throw refusal(hinted, notKnown(hinted.entity, 'no entity', known))
  }
  const names = fieldNames(found)
  const missing = hinted.fields.find((name) => !names.includes(name))
  if (missing !== undefined) throw refusal(hinted, notKnown(missing, `no field of ${found.name}`, names))
  if (hinted.refersTo === undefined) return
  const referring = found.fields.filter(({ entity }) => entity === hinted.refersTo)
  if (referring.length === 0) throw refusal(hinted, `no field of ${found.name} refers to ${hinted.refersTo}`)
  const relations = referring.map(({ relation }) => relation ?? '')
  if (hinted.by === undefined && relations.length > 1)
    throw refusal(
      hinted,
      `${relations.join(' and ')} of ${found.name} refer to ${hinted.refersTo}: name one with by`,
    )
  if (hinted.by !== undefined && !relations.includes(hinted.by))
    throw refusal(
      hinted,
      notKnown(hinted.by, `no field of ${found.name} that refers to ${hinted.refersTo}`, relations),
    )
}

function refusal({ place }: HintedEntity, reason: string): ApplicationError {
  return new ApplicationError(`${place}: ${reason}${reason.endsWith('?') ? '' : '.'}`)
}

function fieldNames({ fields }: EntityDraft): string[] {
  const nameOf = ({ relation, name }: Pick<DescribedField, 'relation' | 'name'>) => relation ?? name
  return [...fields.map(nameOf), 'createdAt', 'updatedAt']
}
