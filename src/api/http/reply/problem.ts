/** Errors as problem details (RFC 9457). */
import { errorKinds, type Fault, type ServiceError } from '../../../core/errors.ts'

interface ProblemFault {
  pointer: string
  detail: string
  code?: string
  parameters?: Readonly<Record<string, string | number>>
}

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  errors?: ProblemFault[]
}

export function problemOf({ status, kind, message, faults }: ServiceError): Problem {
  const problem = { type: 'about:blank', title: errorKinds[kind].text, status, detail: message }
  if (faults.length === 0) return problem
  return {
    ...problem,
    errors: faults.map(problemFaultOf),
  }
}

function problemFaultOf({ pointer, reason, kind }: Fault): ProblemFault {
  return { pointer: `#${pointer}`, detail: reason, ...kind }
}
