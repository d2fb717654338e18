/**
 * The state of a form for something that is stored with an `ETag`. A change that somebody else has made meanwhile is
 * merged, or shown as a conflict, and never overwritten.
 */
import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { draftOf, forgetDraft, keepDraft } from './draft.ts'
import { NotSaved, type TypedForm, useForm } from './form-state.ts'
import { mergeChanges, withMembers } from './merge.ts'
import type { Sending } from './sending.ts'

export interface Stored<T> {
  value: T
  /** `null` for something that does not exist yet. */
  etag: string | null
}

interface VersionedOptions<T, V> {
  stored: Stored<T>
  valuesOf: (value: T) => V
  /**
   * @param isAll whether nothing was typed since it was sent
   * @throws ApiError with 412 if `base` is not stored any more
   */
  save: (values: V, base: Stored<T>, isAll: () => boolean) => Promise<Stored<T>>
  load: () => Promise<Stored<T>>
  /** The key under which typed values are kept as a draft; absent: they are not kept. */
  draftKey?: string
}

export interface Conflict<V> {
  /** The members that both have changed. */
  overlap: readonly string[]
  yours: V
  theirs: V
  /** Saves the members in `kept` as they were typed, and the others as they are stored. */
  resolve: (kept: readonly string[]) => void
  /** Shows the stored values, and drops the typed ones. */
  keepTheirs: () => void
  close: () => void
}

export interface VersionedForm<T, V> extends TypedForm<V> {
  conflict: Conflict<V> | null
  /** The last version that is known of the service. */
  stored: Stored<T>
  /** When the draft was typed with which the form began; `null` if it began with the stored values. */
  draftedAt: string | null
}

/** How often a change of somebody else is merged during one save before the form gives up. */
const maxMerges = 3

export function useVersionedForm<T, V extends object>({
  stored,
  valuesOf,
  save,
  load,
  draftKey,
}: VersionedOptions<T, V>): VersionedForm<T, V> {
  const [draft] = useState(() => (draftKey === undefined ? null : draftOf<Stored<T>, V>(draftKey)))
  // A draft has the version on which it was typed: later changes of somebody else are merged when it is saved.
  const base = useRef(draft?.stored ?? stored)
  /** The version of somebody else that is in conflict with the typed values. */
  const [found, setFound] = useState<Stored<T> | null>(null)
  const store = async (values: V, sending: Sending<V>, merges: number): Promise<void> => {
    const { show, isAll } = sending
    try {
      base.current = await save(values, base.current, isAll)
      show(valuesOf(base.current.value))
    } catch (caught) {
      if (!(caught instanceof ApiError) || caught.status !== 412 || merges === 0) throw caught
      const other = await load()
      const merged = mergeChanges(valuesOf(base.current.value), values, valuesOf(other.value))
      if (merged.overlap.length > 0) {
        setFound(other)
        throw new NotSaved()
      }
      base.current = other
      show(merged.values, valuesOf(other.value))
      await store(merged.values, sending, merges - 1)
    }
  }
  const form = useForm(
    valuesOf(base.current.value),
    (values, sending) => {
      setFound(null)
      return store(values, sending, maxMerges)
    },
    draftKey === undefined
      ? undefined
      : {
          typed: draft === null ? undefined : { ...valuesOf(draft.stored.value), ...draft.values },
          keep: (values) => keepDraft(draftKey, values, base.current),
          forget: () => forgetDraft(draftKey),
        },
  )
  /** Makes the conflict of all typed values, also of those that were typed since the save was sent. */
  const conflictWith = (other: Stored<T>): Conflict<V> => {
    const { values: yours } = form
    const theirs = valuesOf(other.value)
    const { values, overlap } = mergeChanges(valuesOf(base.current.value), yours, theirs)
    return {
      overlap,
      yours,
      theirs,
      resolve: (kept) => {
        base.current = other
        form.sendValues(withMembers(values, yours, kept))
      },
      keepTheirs: () => {
        base.current = other
        setFound(null)
        form.reset(theirs)
      },
      close: () => setFound(null),
    }
  }
  return {
    ...form,
    isHeld: false,
    stored: base.current,
    draftedAt: draft?.at ?? null,
    conflict: found && conflictWith(found),
  }
}

/** @returns the header by which the service refuses a change if the row has another version meanwhile */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag === null ? {} : { 'if-match': etag }
}
