/** A form for something stored with an `ETag`: a change of somebody else is not overwritten, and what was typed stays. */
import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { NotSaved, type TypedForm, useForm } from './form-state.ts'

export interface Stored<T> {
  value: T
  /** `null` for what does not exist yet. */
  etag: string | null
}

interface VersionedOptions<T, V> {
  stored: Stored<T>
  valuesOf: (value: T) => V
  /** @throws ApiError with 412 if `base` is not stored any more */
  save: (values: V, base: Stored<T>) => Promise<Stored<T>>
  load: () => Promise<Stored<T>>
}

export interface VersionedForm<T, V> extends TypedForm<V> {
  conflict: { theirs: V; keepYours: () => void; keepTheirs: () => void; close: () => void } | null
  /** What the service had last. */
  stored: Stored<T>
}

export function useVersionedForm<T, V>({
  stored,
  valuesOf,
  save,
  load,
}: VersionedOptions<T, V>): VersionedForm<T, V> {
  const base = useRef(stored)
  const [theirs, setTheirs] = useState<Stored<T> | null>(null)
  const form = useForm(valuesOf(stored.value), async (values, show) => {
    setTheirs(null)
    try {
      base.current = await save(values, base.current)
      show(valuesOf(base.current.value))
    } catch (caught) {
      if (!(caught instanceof ApiError) || caught.status !== 412) throw caught
      setTheirs(await load())
      throw new NotSaved()
    }
  })
  const use = (found: Stored<T>) => {
    base.current = found
    setTheirs(null)
  }
  const conflict =
    theirs === null
      ? null
      : {
          theirs: valuesOf(theirs.value),
          keepYours: () => {
            use(theirs)
            form.send()
          },
          keepTheirs: () => {
            use(theirs)
            form.reset(valuesOf(theirs.value))
          },
          close: () => setTheirs(null),
        }
  return { ...form, conflict, stored: base.current }
}

/** The header with which a change refuses to overwrite another one. */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag === null ? {} : { 'if-match': etag }
}
