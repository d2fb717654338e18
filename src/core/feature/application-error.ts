/** An application, or the file that describes it, is not what it has to be. */
export class ApplicationError extends Error {}
