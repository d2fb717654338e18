/** A form for something stored with an `ETag`: a change of somebody else is not overwritten, and what was typed stays. */
import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { draftOf, forgetDraft, keepDraft } from './draft.ts'
import { NotSaved, type TypedForm, useForm } from './form-state.ts'
import { mergeChanges, withMembers } from './merge.ts'
import type { Sending } from './sending.ts'

export interface Stored<T> {
  value: T
  /** `null` for what does not exist yet. */
  etag: string | null
}

interface VersionedOptions<T, V> {
  stored: Stored<T>
  valuesOf: (value: T) => V
  /** @param isAll whether nothing was typed since @throws ApiError with 412 if `base` is not stored any more */
  save: (values: V, base: Stored<T>, isAll: () => boolean) => Promise<Stored<T>>
  load: () => Promise<Stored<T>>
  /** Under which name what is typed is kept; not at all if absent. */
  draftKey?: string
}

export interface Conflict<V> {
  /** The members that both have changed. */
  overlap: readonly string[]
  yours: V
  theirs: V
  /** Saves with those of the members that are `kept` as they were typed, and the others as they are stored. */
  resolve: (kept: readonly string[]) => void
  /** Shows what is stored, without anything that was typed. */
  keepTheirs: () => void
  close: () => void
}

export interface VersionedForm<T, V> extends TypedForm<V> {
  conflict: Conflict<V> | null
  /** What the service had last. */
  stored: Stored<T>
  /** When what it began with was typed; `null` if it began with what is stored. */
  draftedAt: string | null
}

/** How often somebody else may be faster before the form says so. */
const maxMerges = 3

export function useVersionedForm<T, V extends object>({
  stored,
  valuesOf,
  save,
  load,
  draftKey,
}: VersionedOptions<T, V>): VersionedForm<T, V> {
  const [draft] = useState(() => (draftKey === undefined ? null : draftOf<Stored<T>, V>(draftKey)))
  // What was typed before has the version of then: a change of somebody else since then is merged like any other.
  const base = useRef(draft?.stored ?? stored)
  /** What is stored instead of that with which the form began. */
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
  /** Of all that is typed, also since it was sent. */
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

/** The header with which a change refuses to overwrite another one. */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag === null ? {} : { 'if-match': etag }
}
