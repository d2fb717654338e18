/** Attributes of a user, which row rules compare, from the claims of a provider that the tenant has chosen. */
import type {
  AttributeChange,
  AttributeType,
  AttributeValue,
  DeclaredAttributes,
} from '../../core/attributes.ts'
import { type Claims, claimAt } from './claims.ts'

/**
 * An absent claim leaves its attribute unchanged. A claim that is empty, or not of the type of its attribute,
 * removes the attribute: an unexpected value must not give access to rows.
 * @param sources the claims of the ID token, which come first, and those of the user information
 * @param claims the claim of each attribute
 */
export function claimedAttributes(
  sources: readonly Claims[],
  claims: Readonly<Record<string, string>>,
  declared: DeclaredAttributes,
): AttributeChange {
  const change: Record<string, AttributeValue | null> = {}
  for (const [name, path] of Object.entries(claims)) {
    const type = declared.find(name)
    const claim = claimAt(sources, path)
    if (type === null || claim === undefined) continue // the application may have dropped the attribute
    const value = claimedValue(claim, type, (each) => declared.accepts(name, each))
    change[name] = value !== null && declared.accepts(name, value) ? value : null
  }
  return change
}

function claimedValue(
  claim: unknown,
  { kind }: AttributeType,
  accepts: (value: unknown) => boolean,
): AttributeValue | null {
  if (kind === 'boolean') return booleans.get(claim) ?? null
  const given = [claim].flat()
  if (kind === 'list') {
    const texts = given.filter((each): each is string => typeof each === 'string' && accepts([each]))
    return [...new Set(texts)]
  }
  const [only] = given
  return given.length === 1 && typeof only === 'string' && only.trim() !== '' ? only.trim() : null
}

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
])
