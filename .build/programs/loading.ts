// What creates the loader of parts in a built program: the build replaces this module.
export {}
