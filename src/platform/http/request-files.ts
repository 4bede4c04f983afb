/** The files of a multipart request, by part name; code that stores one removes it from here. */
export type Files = Map<string, File>
