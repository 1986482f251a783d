/** One invalid field or parameter. `path` looks like `attachments.0.content`. Gap 12. The published types name it. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** The smallest number that the parameter may have, if only that is known when the request arrives. */
  minimum?: number;
}
