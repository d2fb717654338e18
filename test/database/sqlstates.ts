/**
 * Every code that PostgreSQL knows, class by class, and what becomes of it here:
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
import {
  ConstraintViolation,
  DatabaseBusy,
  DatabaseDamaged,
  DatabaseUnavailable,
  StatementTimedOut,
} from '../../src/database/executor.ts'

/** A fault of the service is passed on unchanged. */
export const kinds = {
  fault: null,
  unavailable: DatabaseUnavailable,
  busy: DatabaseBusy,
  timeout: StatementTimedOut,
  damaged: DatabaseDamaged,
  violation: ConstraintViolation,
} as const

/** Codes without their class. */
type Class = Partial<Record<keyof typeof kinds, string>>

export const classes: Readonly<Record<string, Class>> = {
  /* Successful completion */ '00': { fault: '000' },
  /* Warning */ '01': { fault: '000 003 004 006 007 008 00C P01' },
  /* No data */ '02': { fault: '000 001' },
  /* Statement not yet complete */ '03': { fault: '000' },
  /* Connection */ '08': { unavailable: '000 001 003 004 006 007 P01' },
  /* Triggered action */ '09': { fault: '000' },
  /* Feature not supported */ '0A': { fault: '000' },
  /* Transaction initiation */ '0B': { fault: '000' },
  /* Locator */ '0F': { fault: '000 001' },
  /* Grantor */ '0L': { fault: '000 P01' },
  /* Role specification */ '0P': { fault: '000' },
  /* Diagnostics */ '0Z': { fault: '000 002' },
  /* XQuery */ '10': { fault: '608' },
  /* Case not found */ '20': { fault: '000' },
  /* Cardinality */ '21': { fault: '000' },
  /* Data */ '22': {
    fault: `000 001 002 003 004 005 007 008 009 00B 00C 00D 00F 00G 00H 00L 00M 00N 00S 00T 010 011 012 013 014 015 016
      018 019 01B 01E 01F 01G 01W 01X 021 022 023 024 025 026 027 02E 02G 02H 030 031 032 033 034 035 036 037 038 039
      03A 03B 03C 03D 03E 03F 03G P01 P02 P03 P04 P05 P06`,
  },
  /* Integrity */ '23': { violation: '000 001 502 503 505 514 P01' },
  /* Cursor state */ '24': { fault: '000' },
  /* Transaction state */ '25': {
    fault: '000 001 002 003 004 005 007 008 P01 P02',
    unavailable: '006 P03',
    timeout: 'P04',
  },
  /* Statement name */ '26': { unavailable: '000' },
  /* Triggered data change */ '27': { fault: '000' },
  /* Authorization */ '28': { unavailable: '000 P01' },
  /* Dependent privileges */ '2B': { fault: '000 P01' },
  /* Transaction termination */ '2D': { fault: '000' },
  /* SQL routine */ '2F': { fault: '000 002 003 004 005' },
  /* Cursor name */ '34': { fault: '000' },
  /* External routine */ '38': { fault: '000 001 002 003 004' },
  /* Its invocation */ '39': { fault: '000 001 004 P01 P02 P03' },
  /* Savepoint */ '3B': { fault: '000 001' },
  /* Database */ '3D': { unavailable: '000' },
  /* Schema */ '3F': { fault: '000' },
  /* Transaction rollback */ '40': { unavailable: '000 001 003 P01', violation: '002' },
  /* Syntax, and rights */ '42': {
    fault: `000 601 602 611 622 701 702 703 704 710 712 723 725 803 804 809 830 846 883 8C9 939 P01 P02 P03 P04 P06 P07
      P08 P09 P10 P11 P12 P13 P14 P15 P16 P17 P18 P19 P20 P21 P22`,
    unavailable: '501 P05',
  },
  /* WITH CHECK OPTION */ '44': { fault: '000' },
  /* Resources */ '53': { unavailable: '000 100 200 300 400' },
  /* Program limit */ '54': { unavailable: '000', fault: '001 011 023' },
  /* Object state */ '55': { unavailable: '000 006', busy: 'P03', fault: 'P02 P04' },
  /* Operator */ '57': { unavailable: '000 P01 P02 P03 P04 P05', timeout: '014' },
  /* System */ '58': { unavailable: '000 030 P01 P02 P03' },
  /* Configuration file */ F0: { unavailable: '000 001' },
  /* Foreign data */ HV: {
    unavailable: `000 001 002 004 005 006 007 008 009 00A 00B 00C 00D 00J 00K 00L 00M 00N 00P 00Q 00R 010 014 021 024
      090 091`,
  },
  /* PL/pgSQL */ P0: { fault: '000 001 002 003 004' },
  /* Internal */ XX: { unavailable: '000', damaged: '001 002' },
}

/** Raised by PostgreSQL before 17 alone: snapshot too old. */
export const former: Readonly<Record<string, Class>> = { '72': { unavailable: '000' } }

/** @returns each code and the error that it becomes */
export function expectedAnswers(
  of: Readonly<Record<string, Class>>,
): [code: string, answer: keyof typeof kinds][] {
  return Object.entries(of).flatMap(([name, answered]) =>
    (Object.entries(answered) as [keyof typeof kinds, string][]).flatMap(([answer, codes]) =>
      codes.split(/\s+/).map((code): [string, keyof typeof kinds] => [name + code, answer]),
    ),
  )
}
