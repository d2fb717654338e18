/**
 * Runs the TypeScript compiler with less than half of its usual processor time: by default it checks in four threads,
 * each of which resolves for itself the types that it meets, and collects garbage that goes with the process.
 */
export interface CompilerCommand {
  /** Of Node.js, in the folder of the project. */
  arguments: string[]
  environment: Record<string, string>
}

/** The memory is collected only when it reaches the limit: the project takes 1.1 GB. */
export const compilerEnvironment = { GOGC: 'off', GOMEMLIMIT: '2GiB' }

export const compilerFlags = ['--checkers', '1']

export function compilerCommand(...words: string[]): CompilerCommand {
  return {
    arguments: ['node_modules/typescript/bin/tsc', ...words, ...compilerFlags],
    environment: compilerEnvironment,
  }
}
