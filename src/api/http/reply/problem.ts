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
  code: string
  parameters?: Readonly<Record<string, string | number>>
  detail: string
  errors?: ProblemFault[]
}

export function problemOf({ status, kind, message, faults, refused }: ServiceError): Problem {
  const { code, parameters } = refused
  return {
    type: 'about:blank',
    title: errorKinds[kind].text,
    status,
    code,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    detail: message,
    ...(faults.length > 0 && { errors: faults.map(problemFaultOf) }),
  }
}

function problemFaultOf({ pointer, reason, kind }: Fault): ProblemFault {
  return { pointer: `#${pointer}`, detail: reason, ...kind }
}
