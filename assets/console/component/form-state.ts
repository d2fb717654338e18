/**
 * The state of a form: the typed values, whether they are saved, and the faults that the service has found. Leaving the
 * page asks before typed values are lost.
 */
import { useRef, useState } from 'preact/hooks'
import { ApiError, type Fault } from '../api.ts'
import { useLeaveGuard } from '../router.ts'
import { mayLeaveUnsaved, type UnsavedAnswer } from './leave.ts'
import { isSame } from './merge.ts'
import { type Sending, sendingOf } from './sending.ts'

export interface TypedForm<V> {
  values: V
  /** The values that were saved last, or with which the form began. */
  base: V
  change: (values: V) => void
  isBusy: boolean
  /** Whether a save is on its way after which the form closes. The fields are disabled meanwhile. */
  isHeld: boolean
  /** Whether the values are those that were saved last. */
  isSaved: boolean
  /** Whether the values differ from those that were saved last. */
  isChanged: boolean
  error: unknown
  faults: readonly Fault[]
  /** Submits the values, as a handler of the element. @returns whether they were saved */
  send: (event?: Event) => Promise<boolean>
  /** Replaces the typed values, and submits the new ones. */
  sendValues: (values: V) => void
  /** Replaces the typed values, for instance by those that are stored. */
  reset: (values: V) => void
}

/** Thrown by a submit function that has already shown why nothing was saved. The typed values stay. */
export class NotSaved extends Error {}

/** Keeps typed values as a draft. */
export interface FormKeeping<V> {
  /** The values of an earlier draft. */
  typed?: V | undefined
  keep: (values: V) => void
  forget: () => void
}

/** @param submit saves the values, and may lead to another page; throws ApiError or NotSaved */
export function useForm<V extends object>(
  initial: V,
  submit: (values: V, sending: Sending<V>) => Promise<void>,
  keeping?: FormKeeping<V>,
): TypedForm<V> {
  const { base, latest, draw } = useTyped(initial, keeping?.typed)
  const [state, setState] = useState<'unchanged' | 'changed' | 'saved'>(
    keeping?.typed === undefined ? 'unchanged' : 'changed',
  )
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const leave = async () => {
    const answer = await mayLeaveUnsaved(keeping !== undefined)
    if (answer === 'leave') keeping?.forget()
    return isLeft(answer, () => send(latest.current))
  }
  const allowLeaving = useLeaveGuard(state === 'changed', leave)
  const isSending = useRef(false)
  const send = async (sent: V): Promise<boolean> => {
    if (isSending.current) return false // a second press would make a second row
    isSending.current = true
    setBusy(true)
    setError(null)
    setState('unchanged')
    allowLeaving()
    const began = base.current
    const sending = sendingOf(sent, { typed: () => latest.current, draw, allowLeaving })
    try {
      await submit(sent, sending)
      const isAll = sending.isAll()
      // A form that creates something keeps its base. What was typed meanwhile goes on in another form.
      if (isAll || base.current === began) keeping?.forget()
      else keeping?.keep(latest.current)
      setState(isAll ? 'saved' : 'changed')
      return isAll
    } catch (caught) {
      setState(isSame(latest.current, base.current) ? 'unchanged' : 'changed')
      if (!(caught instanceof NotSaved)) setError(caught)
      return false
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return {
    values: latest.current,
    base: base.current,
    isBusy,
    isHeld: isBusy,
    error,
    isSaved: state === 'saved',
    isChanged: state === 'changed',
    change: (next) => {
      draw(next)
      const isBack = isSame(next, base.current)
      setState(isBack ? 'unchanged' : 'changed')
      if (isBack) keeping?.forget()
      else keeping?.keep(next)
    },
    reset: (next) => {
      draw(next, next)
      setState('unchanged')
      setError(null)
      keeping?.forget()
      allowLeaving()
    },
    faults: error instanceof ApiError ? error.faults : [],
    send: (event) => {
      event?.preventDefault()
      return send(latest.current)
    },
    sendValues: (next) => {
      draw(next)
      void send(next)
    },
  }
}

/**
 * Keeps the typed and the saved values in references, so that handlers read the present ones between two renderings.
 */
function useTyped<V>(initial: V, typed: V = initial) {
  const base = useRef(initial)
  const latest = useRef(typed)
  const [, render] = useState({})
  const draw = (values: V, stored = base.current) => {
    latest.current = values
    base.current = stored
    render({})
  }
  return { base, latest, draw }
}

async function isLeft(answer: UnsavedAnswer | null, save: () => Promise<boolean>): Promise<boolean> {
  return answer === 'save' ? save() : answer === 'leave'
}
