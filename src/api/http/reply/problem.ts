/** Errors as problem details (RFC 9457). */
import { errorKinds, type ServiceError } from '../../../core/errors.ts'

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  errors?: { pointer: string; detail: string }[]
}

export function problemOf({ status, kind, message, faults }: ServiceError): Problem {
  const problem = { type: 'about:blank', title: errorKinds[kind].text, status, detail: message }
  if (faults.length === 0) return problem
  return {
    ...problem,
    errors: faults.map(({ pointer, reason }) => ({ pointer: `#${pointer}`, detail: reason })),
  }
}
