/** One invalid field or parameter. `path` looks like `attachments.0.content`. Gap 12. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** The smallest number that the parameter may have, if only that is known when the request arrives. */
  minimum?: number;
}
