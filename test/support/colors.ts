/** Removes the developer's color settings: tests set their own. */
delete process.env.NO_COLOR;
delete process.env.FORCE_COLOR;
