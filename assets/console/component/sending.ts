/** A save of a form that is on its way, during which the user may go on typing. */
import { changedMembers, isSame, withMembers } from './merge.ts'

export interface Sending<V> {
  /** Shows the stored values, with the changes that were typed since they were sent. */
  show: (values: V, base?: V) => void
  /** Whether nothing was typed since the values were sent. The form may then be left. */
  isAll: () => boolean
  /** Allows leaving the form. @returns its present values, with which another form continues */
  handOver: () => V
}

interface Sender<V> {
  /** @returns the present values of the form */
  typed: () => V
  draw: (values: V, base: V) => void
  allowLeaving: () => void
}

export function sendingOf<V extends object>(sent: V, { typed, draw, allowLeaving }: Sender<V>): Sending<V> {
  let shown = sent
  return {
    show: (values, base = values) => {
      const since = Object.keys(changedMembers(shown, typed()))
      draw(withMembers(values, typed(), since), base)
      shown = values
    },
    isAll: () => {
      const isAll = isSame(typed(), shown)
      if (isAll) allowLeaving()
      return isAll
    },
    handOver: () => {
      allowLeaving()
      return typed()
    },
  }
}
